import { createRequire } from 'node:module'

/** The published version; the package's manifest is one folder up from the compiled code, and beside the source. */
const require = createRequire(import.meta.url)
const manifest = import.meta.url.endsWith('.ts') ? './package.json' : '../package.json'
export const VERSION: string = (require(manifest) as { version: string }).version
