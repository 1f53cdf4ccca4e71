import { join } from 'node:path'
import type { BuildOptions, Plugin } from 'esbuild'

/** What packages load of Node for what is never asked of them here. */
const UNUSED: Readonly<Record<string, string>> = {
  // No request is sent by HTTP/2.
  'node:http2': 'got',
  // No command is a program of its own.
  'node:child_process': 'commander',
}

const withoutUnused: Plugin = {
  name: 'without-unused',
  setup(builder) {
    const filter = new RegExp(`^(?:${Object.keys(UNUSED).join('|')})$`)
    builder.onResolve({ filter }, ({ path, importer }) =>
      importer.includes(join('node_modules', UNUSED[path] ?? '', '/'))
        ? { path: join(import.meta.dirname, 'no-module.ts') }
        : undefined,
    )
  },
}

/** Keeps packages in a bundle from loading what would cost a command as much as all that it does. */
export const LEAN = {
  plugins: [withoutUnused],
  inject: [join(import.meta.dirname, 'late-list-format.ts')],
} satisfies BuildOptions
