/** The package has no declarations of its own. */
declare module 'postject' {
  export function inject(
    filename: string,
    resource: string,
    data: Buffer,
    options: { readonly sentinelFuse: string },
  ): Promise<void>
}
