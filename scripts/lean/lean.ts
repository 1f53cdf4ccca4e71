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

/** What is loaded when it is first used, in place of at the start; the names that are imported of each. */
const LATE: Readonly<Record<string, readonly string[]>> = {
  // Half of all that Node loads for requests: addresses without TLS do without.
  'node:https': ['default', 'Agent'],
  'node:tls': ['default', 'checkServerIdentity', 'createSecureContext', 'createServer', 'getCACertificates'],
  // No answer is kept for a later request.
  'cacheable-request': ['default', 'CacheError'],
  // Few manifests have windows that recur, and few have addresses.
  'rrule-temporal': ['RRuleTemporal'],
  'ip-address': ['Address4', 'Address6'],
}

/** Where the bundler knows those from that stand in their place. */
export const LATE_MODULE = 'late'

const loadedLate: Plugin = {
  name: 'loaded-late',
  setup(builder) {
    const filter = new RegExp(`^(?:${Object.keys(LATE).join('|')})$`)
    // What stands in its place requires it.
    builder.onResolve({ filter }, ({ path, kind, resolveDir }) =>
      kind === 'import-statement' ? { path, namespace: LATE_MODULE, pluginData: resolveDir } : undefined,
    )
    builder.onLoad({ filter, namespace: LATE_MODULE }, ({ path, pluginData }) => ({
      contents: lateModule(path, LATE[path] ?? []),
      resolveDir: String(pluginData),
    }))
  },
}

const lateModule = (path: string, names: readonly string[]): string => {
  const module = `require(${JSON.stringify(path)})`
  // Node's own modules are their own default.
  const whole = path.startsWith('node:') ? module : `${module}.default`
  const lines = names.map((name) =>
    name === 'default'
      ? `export default late(() => ${whole})`
      : `export const ${name} = late(() => ${module}.${name})`,
  )
  return [`import { late } from ${JSON.stringify(join(import.meta.dirname, 'late.ts'))}`, ...lines].join('\n')
}

/** Keeps packages in a bundle from loading what would cost a command as much as all that it does. */
export const LEAN = {
  plugins: [withoutUnused, loadedLate],
  inject: [join(import.meta.dirname, 'late-list-format.ts')],
} satisfies BuildOptions
