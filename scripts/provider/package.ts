/** Writes the provider's release and a filesystem mirror into `dist/`. Run by `npm run package:provider`. */
import { join } from 'node:path'
import { PLATFORMS, writeRelease } from './release.ts'

const { version } = await writeRelease(join(import.meta.dirname, '..', '..', 'dist'))
process.stdout.write(
  `${join('dist', 'release')} and ${join('dist', 'mirror')} hold version ${version} for ${PLATFORMS.join(', ')}\n`,
)
