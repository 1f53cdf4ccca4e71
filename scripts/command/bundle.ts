import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { BuildOptions, Metafile, Plugin } from 'esbuild'
import { noticesOf } from './notices.ts'

const root = join(import.meta.dirname, '..', '..')
const dist = join(root, 'reconciler', 'dist')
/** What the files were made from, so that nothing is made again that is as it was. */
const SOURCES = join(dist, 'sources.json')

const SERVICE = '@deploymgmt/service'

/**
 * Bundles the command into one file, and the embedded service, which few commands need, into another: a few
 * hundred modules cost more to find and link than most commands do. Beside them lie their maps and the licences of
 * all that is in them. Answers whether there was anything to do.
 */
export const bundleCommand = async (): Promise<boolean> => {
  if (await isFresh()) return false
  const { build } = await import('esbuild')
  await mkdir(dist, { recursive: true })
  const results = await Promise.all([
    build({ ...COMMON, entryPoints: [join(root, 'reconciler', 'main.ts')], plugins: [serviceApart] }),
    build({ ...COMMON, entryPoints: { service: join(root, 'service', 'index.ts') } }),
  ])
  const inputs = inputsOf(results.map(({ metafile }) => metafile))
  await replace(join(dist, 'THIRD-PARTY-NOTICES.txt'), await noticesOf(root, inputs))
  for (const { path, contents } of results.flatMap(({ outputFiles }) => outputFiles))
    await replace(path, contents)
  await replace(SOURCES, JSON.stringify(inputs))
  return true
}

const COMMON = {
  bundle: true,
  platform: 'node',
  // Loaded in one step; modules of the other kind are linked one by one.
  format: 'cjs',
  target: 'node22',
  absWorkingDir: root,
  outdir: dist,
  outExtension: { '.js': '.cjs' },
  conditions: ['@deploymgmt/source'],
  // Names stay, for those who read a stack; so do lines, which Node shows when something is not caught.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 160,
  legalComments: 'eof',
  sourcemap: 'linked',
  sourcesContent: false,
  // Postgres has a faster client, for those who install one.
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

/** Paths from the root. */
const inputsOf = (files: readonly Metafile[]): string[] =>
  [...new Set(files.flatMap(({ inputs }) => Object.keys(inputs)))].toSorted()

/** In one step: another command may be reading it. */
const replace = async (path: string, contents: string | Uint8Array): Promise<void> => {
  const written = join(dist, `.${basename(path)}.${String(process.pid)}`)
  await writeFile(written, contents)
  await rename(written, path).catch(async (error: unknown) => {
    await rm(written, { force: true })
    throw error
  })
}

/** Whether nothing that the files were made from, or made with, is younger than they are. */
const isFresh = async (): Promise<boolean> => {
  try {
    const made = (await stat(SOURCES)).mtimeMs
    const inputs = JSON.parse(await readFile(SOURCES, 'utf8')) as string[]
    const own = ['bundle.ts', 'notices.ts'].map((name) => join(import.meta.dirname, name))
    const times = await Promise.all(
      [...inputs.map((input) => join(root, input)), ...own, join(root, 'package-lock.json')].map(
        async (path) => (await stat(path)).mtimeMs,
      ),
    )
    return times.every((time) => time < made)
  } catch {
    // A file of theirs, or the list of them, is not there.
    return false
  }
}
