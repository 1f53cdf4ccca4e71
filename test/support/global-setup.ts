import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** Tests run the command as users do, compiled; a stale build would test yesterday's code. */
export default (): void => {
  const root = join(import.meta.dirname, '..', '..')
  execFileSync(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b'], {
    cwd: root,
    stdio: 'inherit',
  })
}
