import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

export const root = join(import.meta.dirname, '..', '..', '..')
export const run = promisify(execFile)

/** All apps among the TypeScript examples. */
export const apps = [
  'constructs/alert-policy.ts',
  'constructs/integration-guard.ts',
  'constructs/project-baseline.ts',
  'constructs/recurring-maintenance-window.ts',
  'constructs/team-roles.ts',
  'organization/main.ts',
  'starter/main.ts',
]

/** Packs the package as for publishing, and returns the path of the archive. */
export const pack = async (folder: string): Promise<string> => {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: join(root, 'constructs'),
  })
  // The output of the package's own script comes first.
  const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as [{ filename: string }]
  return join(folder, filename)
}

/** A project with the packed package and links to packages of this checkout, under the given names. */
export const consumer = async (
  folder: string,
  archive: string,
  links: Readonly<Record<string, string>>,
): Promise<void> => {
  const modules = join(folder, 'node_modules')
  const own = join(modules, '@deploymgmt', 'constructs')
  await mkdir(own, { recursive: true })
  await run('tar', ['xzf', archive, '-C', own, '--strip-components', '1'])
  for (const [name, target] of Object.entries({ ...links, ...NEEDED })) {
    const path = join(modules, name)
    await mkdir(dirname(path), { recursive: true })
    await symlink(join(root, 'node_modules', target), path)
  }
}

const NEEDED = {
  constructs: 'constructs',
  'rrule-temporal': 'rrule-temporal',
  'temporal-spec': 'temporal-spec',
  '@types/node': '@types/node',
}

export const write = async (folder: string, files: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
}
