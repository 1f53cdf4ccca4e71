import { chmod, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { build } from 'esbuild'

/**
 * Bundles the Terraform provider into one executable file: Terraform hashes the package folder on every
 * command, so that a few hundred files would cost more than the provider itself.
 */
export const bundleProvider = async (source: string, target: string): Promise<void> => {
  await mkdir(dirname(target), { recursive: true })
  await build({
    entryPoints: [source],
    outfile: target,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    conditions: ['@deploymgmt/source'],
    minify: true,
    keepNames: true,
    legalComments: 'eof',
    // The first line of a CommonJS bundle knows its own file; code that asks for import.meta.url needs it.
    define: { 'import.meta.url': 'importMetaUrl' },
    banner: {
      js: "#!/usr/bin/env node\nconst importMetaUrl = require('node:url').pathToFileURL(__filename).href",
    },
    logLevel: 'warning',
  })
  await chmod(target, 0o755)
}
