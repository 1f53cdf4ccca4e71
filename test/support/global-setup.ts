import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { bundleCommand } from '../../scripts/command/bundle.ts'
import { writeForCdktn } from '../../scripts/constructs/for-cdktn.ts'

/** Tests run the built command, as users do; a stale build would test old code. */
export default async (): Promise<void> => {
  const root = join(import.meta.dirname, '..', '..')
  execFileSync(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b'], {
    cwd: root,
    stdio: 'inherit',
  })
  await bundleCommand()
  await writeForCdktn(join(root, 'constructs', 'dist'))
}
