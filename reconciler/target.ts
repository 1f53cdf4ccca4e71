/**
 * Tells which addresses the globs of `--target` mean: `*` stands for anything. A glob that names an entry
 * means all of its instances; one that names an instance lets its entry be looked at.
 */
export const targetOf = (globs: readonly string[]): ((address: string) => boolean) | undefined => {
  if (globs.length === 0) return undefined
  const whole = globs.map(pattern)
  const entries = globs.map((glob) => pattern(entryPart(glob)))
  return (address) => {
    if (whole.some((glob) => glob.test(address) || glob.test(entryPart(address)))) return true
    return !address.includes('[') && entries.some((glob) => glob.test(address))
  }
}

const entryPart = (address: string): string => address.replace(/\[.*$/, '')

const pattern = (glob: string): RegExp =>
  new RegExp(
    `^${glob
      .split('*')
      .map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`))
      .join('.*')}$`,
  )
