import { chmod, mkdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { build, type BuildOptions, type BuildResult, type OnLoadResult, type Plugin } from 'esbuild'
import { LEAN } from '../lean/lean.ts'

const root = join(import.meta.dirname, '..', '..')

/**
 * Bundles the Terraform provider into one executable file: Terraform hashes the package folder on every command, so
 * a few hundred files would cost more than the provider itself.
 *
 * Dynamically imported code is not needed for the handshake. It is in the file as a comment, which is much cheaper
 * at the start than code or a string, and is compiled while Terraform connects.
 *
 * Returns its inputs: paths from the root.
 */
export const bundleProvider = async (source: string, target: string): Promise<readonly string[]> => {
  await mkdir(dirname(target), { recursive: true })
  const modules = await importedLater(source)
  const later = await made({
    ...COMMON,
    ...LEAN,
    // Code that is compiled from text is no module of Node's, and cannot import anything itself.
    supported: { 'dynamic-import': false },
    stdin: { contents: modules.map((path, n) => reexport(path, n)).join('\n'), resolveDir: dirname(source) },
    target: 'node22',
    banner: { js: IMPORT_META_URL },
  })
  const whole = await build({
    ...COMMON,
    entryPoints: [source],
    outfile: target,
    // An old Node must be able to parse it far enough to say what is wrong.
    target: 'node12',
    banner: { js: BANNER },
    footer: { js: commentOf(codeOf(later)) },
    plugins: [loadingLater(modules)],
  })
  await chmod(target, 0o755)
  return [whole, later].flatMap(({ metafile }) => Object.keys(metafile?.inputs ?? {}))
}

const COMMON = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  conditions: ['@deploymgmt/source'],
  // Names are kept for stack traces; setting them at run time for each function would slow down every call.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 160,
  legalComments: 'eof',
  // A CommonJS file knows its own path, which replaces import.meta.url.
  define: { 'import.meta.url': 'importMetaUrl' },
  logLevel: 'warning',
  metafile: true,
  absWorkingDir: root,
} satisfies BuildOptions

const IMPORT_META_URL = `var importMetaUrl = require('url').pathToFileURL(__filename).href`

/** In syntax that the oldest Node can run. Terraform shows the output that replaces a handshake. */
const BANNER = `#!/usr/bin/env node
var nodeVersion = process.versions.node.split('.').map(Number)
var oldestMinor = { 22: 21, 24: 11 }[nodeVersion[0]]
if (oldestMinor === undefined ? nodeVersion[0] < 26 : nodeVersion[1] < oldestMinor) {
  var nodeTooOld = 'Error DM-NODE-VERSION: the deploymgmt provider needs Node.js 22.21, 24.11, 26 or later; this is ' + process.versions.node + '. Install a newer one, and see that it is the first "node" on PATH where Terraform runs.\\n'
  require('fs').writeSync(2, nodeTooOld)
  if (process.env.TF_PLUGIN_MAGIC_COOKIE) require('fs').writeSync(1, nodeTooOld)
  process.exit(1)
}
${IMPORT_META_URL}`

/** The certificate is part of the handshake; its import is dynamic for those who do not use TLS. */
const isNeededAtOnce = (path: string): boolean => path.endsWith('/certificate.ts')

const LATER = 'imported-later'
/** The module that compiles the text. */
const COMPILED = `${LATER}/compiled`

// The start of the comment, and the replacement for comment ends in it.
const BEGIN = '\n/* loaded after the handshake\n'
const [END, NO_END] = ['*/', '*@/']

const commentOf = (text: string): string => {
  if (text.includes(NO_END)) throw new Error(`the code has ${NO_END}, which stands for the end of a comment`)
  // The file is read as bytes, so each must be a character.
  if (/[^\0-\x7f]/.test(text)) throw new Error('the code has characters that are not ASCII')
  return BEGIN + text.replaceAll(END, NO_END) + END
}

const reexport = (path: string, n: number): string =>
  `export * as m${String(n)} from ${JSON.stringify(join(root, path))}`

/** The modules that are imported dynamically before any other import loads them. */
const importedLater = async (source: string): Promise<string[]> => {
  const found = new Set<string>()
  const plugin = resolvingLater((path) => {
    found.add(path)
    return { contents: '' }
  })
  await made({ ...COMMON, entryPoints: [source], plugins: [plugin] })
  return [...found].toSorted()
}

const loadingLater = (modules: readonly string[]): Plugin =>
  resolvingLater((path) => {
    if (path === COMPILED) return { contents: COMPILE, resolveDir: root }
    return { contents: `module.exports = require('${COMPILED}').m${String(modules.indexOf(path))}` }
  })

/** The command's runner with its code cache is used here, too. */
const RUNNER = join(root, 'reconciler', 'bin', 'compiled.cjs')

/** Compiled under the name of the containing file, and cached for any copy of this provider. */
const COMPILE = `const { readFileSync } = require('fs')
const { crc32 } = require('zlib')
const { heapSettings, ownFolder, runSource } = require(${JSON.stringify(RUNNER)})
const [begin, end] = ${JSON.stringify([BEGIN, END])}
const whole = readFileSync(__filename, 'latin1')
const from = whole.lastIndexOf(begin) + begin.length
const text = whole.slice(from, whole.lastIndexOf(end)).replaceAll(${JSON.stringify(NO_END)}, end)
const sum = crc32(text)
const source = { file: __filename, name: 'main', text, sum, apart: sum }
const keeping = { folder: ownFolder(), command: 'provider', asAtStart: heapSettings() }
module.exports = runSource(source, keeping, require)`

const resolvingLater = (load: (path: string) => OnLoadResult): Plugin => ({
  name: LATER,
  setup(builder) {
    builder.onResolve({ filter: /^\.{1,2}\// }, async ({ path, resolveDir, kind }) => {
      if (kind !== 'dynamic-import') return undefined
      const found = await builder.resolve(path, { resolveDir, kind: 'import-statement' })
      // Relative, because the bundle contains it, and must be the same wherever it is built.
      return isNeededAtOnce(found.path) ? found : { path: relative(root, found.path), namespace: LATER }
    })
    builder.onResolve({ filter: new RegExp(`^${LATER}/`) }, ({ path }) => ({ path, namespace: LATER }))
    builder.onLoad({ filter: /./, namespace: LATER }, ({ path }) => load(path))
  },
})

const made = (options: BuildOptions): Promise<BuildResult> => build({ ...options, write: false })

const codeOf = ({ outputFiles }: BuildResult): string => outputFiles?.[0]?.text ?? ''
