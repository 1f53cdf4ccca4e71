import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The package's folder: that of the sources, and the parent of the bundle's. */
export const PACKAGE_FOLDER = join(import.meta.dirname, import.meta.url.endsWith('.ts') ? '.' : '..')

const manifest = readFileSync(join(PACKAGE_FOLDER, 'package.json'), 'utf8')
export const VERSION: string = (JSON.parse(manifest) as { version: string }).version
