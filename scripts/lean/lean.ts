import { join } from 'node:path'
import type { BuildOptions, Plugin } from 'esbuild'

/** Node modules that packages load for features that are never used here. */
const UNUSED: Readonly<Record<string, string>> = {
  // No request uses HTTP/2.
  'node:http2': 'got',
  // No subcommand is a separate executable.
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

/** Modules that are loaded on first use instead of at the start, with the imported names of each. */
const LATE: Readonly<Record<string, readonly string[]>> = {
  // Half of everything that Node loads for requests; addresses without TLS do not need it.
  'node:https': ['default', 'Agent'],
  'node:tls': ['default', 'checkServerIdentity', 'createSecureContext', 'createServer', 'getCACertificates'],
  // No response is cached.
  'cacheable-request': ['default', 'CacheError'],
  // Few manifests have recurring windows, and few have email addresses.
  'rrule-temporal': ['RRuleTemporal'],
  'ip-address': ['Address4', 'Address6'],
}

/** The namespace of the bundler for the stand-ins. */
export const LATE_MODULE = 'late'

const loadedLate: Plugin = {
  name: 'loaded-late',
  setup(builder) {
    const filter = new RegExp(`^(?:${Object.keys(LATE).join('|')})$`)
    // The stand-in itself requires the real module.
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
  // Node's own modules are their own default export.
  const whole = path.startsWith('node:') ? module : `${module}.default`
  const lines = names.map((name) =>
    name === 'default'
      ? `export default late(() => ${whole})`
      : `export const ${name} = late(() => ${module}.${name})`,
  )
  return [`import { late } from ${JSON.stringify(join(import.meta.dirname, 'late.ts'))}`, ...lines].join('\n')
}

/** Keeps packages in a bundle from loading modules that would cost a command as much as all its work. */
export const LEAN = {
  plugins: [withoutUnused, loadedLate],
  inject: [join(import.meta.dirname, 'late-list-format.ts')],
} satisfies BuildOptions
