/**
 * Writes the provider's release and a filesystem mirror into `dist/`, or into the folder that is given.
 * Run by `npm run package:provider`.
 */
import { join } from 'node:path'
import { PLATFORMS, writeRelease } from './release.ts'

const dist = process.argv[2] ?? join(import.meta.dirname, '..', '..', 'dist')
const { version } = await writeRelease(dist)
process.stdout.write(`release and mirror of version ${version} for ${PLATFORMS.join(', ')}: ${dist}\n`)
