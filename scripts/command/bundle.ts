import { existsSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import type { BuildOptions, Metafile, Plugin } from 'esbuild'
import { LATE_MODULE, LEAN } from '../lean/lean.ts'
import { type Built, unlessFresh } from './fresh.ts'
import { noticesOf } from './notices.ts'

const root = join(import.meta.dirname, '..', '..')
const SERVICE = '@deploymgmt/service'

/**
 * Bundles the command into one file, and the embedded service, which few commands need, into another: finding and
 * linking a few hundred modules takes longer than most commands. Writes source maps and all licences beside them.
 * Returns whether anything had to be built.
 *
 * @param dist the output folder
 */
export const bundleCommand = (dist: string = join(root, 'reconciler', 'dist')): Promise<boolean> =>
  unlessFresh(root, join(dist, 'sources.json'), () => bundleInto(dist))

const bundleInto = async (dist: string): Promise<Built> => {
  const { build } = await import('esbuild')
  const common = { ...COMMON, outdir: dist }
  const results = await Promise.all([
    build({
      ...common,
      ...LEAN,
      entryPoints: [join(root, 'reconciler', 'main.ts')],
      plugins: [serviceApart, ...LEAN.plugins],
      // Files beside it are required, so that they are run like this one (bin/compiled.cjs).
      supported: { 'dynamic-import': false },
    }),
    build({ ...common, entryPoints: { service: join(root, 'service', 'index.ts') } }),
  ])
  const inputs = inputsOf(results.map(({ metafile }) => metafile))
  const files = [
    { path: join(dist, 'THIRD-PARTY-NOTICES.txt'), contents: await noticesOf(root, inputs) },
    ...results.flatMap(({ outputFiles }) => outputFiles),
  ]
  for (const { path, contents } of files) await replace(path, contents)
  return {
    inputs: [...inputs, ...settingsOf(inputs), ...OWN],
    outputs: files.map(({ path }) => relative(root, path)),
  }
}

/** The sources of this build. */
const OWN = [
  ...['bundle.ts', 'fresh.ts', 'notices.ts'].map((name) => join('scripts', 'command', name)),
  join('scripts', 'lean', 'lean.ts'),
]

/** Files that affect how the bundler reads the sources, and which packages there are. */
const settingsOf = (inputs: readonly string[]): string[] => {
  const folders = inputs.flatMap((input) => /^(?!node_modules)[^\/]+(?=\/)/v.exec(input) ?? [])
  const own = [...new Set(folders)].flatMap((folder) =>
    ['package.json', 'tsconfig.json'].map((name) => join(folder, name)),
  )
  const all = ['package.json', 'package-lock.json', 'tsconfig.base.json', 'tsconfig.json', ...own]
  return all.filter((path) => existsSync(join(root, path)))
}

const COMMON = {
  bundle: true,
  platform: 'node',
  // Loaded in one step; ES modules are linked one by one.
  format: 'cjs',
  target: 'node22',
  absWorkingDir: root,
  outExtension: { '.js': '.cjs' },
  conditions: ['@deploymgmt/source'],
  // Names are kept for stack traces, and so are line breaks, because Node prints the line of an uncaught error.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 160,
  legalComments: 'eof',
  sourcemap: 'linked',
  sourcesContent: false,
  // The Postgres client has an optional native module, for those who install it.
  external: ['pg-native'],
  define: { 'import.meta.url': 'importMetaUrl', 'import.meta.dirname': '__dirname' },
  banner: { js: "const importMetaUrl=require('node:url').pathToFileURL(__filename).href;" },
  metafile: true,
  write: false,
  logLevel: 'warning',
} satisfies BuildOptions

const serviceApart: Plugin = {
  name: 'service-apart',
  setup(builder) {
    builder.onResolve({ filter: new RegExp(`^${SERVICE}$`) }, () => ({
      path: './service.cjs',
      external: true,
    }))
  },
}

/** Paths from the root, without files that are generated during bundling. */
const inputsOf = (files: readonly Metafile[]): string[] =>
  [...new Set(files.flatMap(({ inputs }) => Object.keys(inputs)))]
    .filter((input) => !input.startsWith(`${LATE_MODULE}:`))
    .toSorted()

/** In one step, because another command may be reading it. */
const replace = async (path: string, contents: string | Uint8Array): Promise<void> => {
  const written = join(path, '..', `.${basename(path)}.${String(process.pid)}`)
  await writeFile(written, contents)
  await rename(written, path).catch(async (error: unknown) => {
    await rm(written, { force: true })
    throw error
  })
}

if (import.meta.main) await bundleCommand()
