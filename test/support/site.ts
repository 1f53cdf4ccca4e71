import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bareRepository, git } from './git.ts'
import { type Installation, within } from './installation.ts'

/** A repository with a manifest on main, and runners that have a clone each. */
export interface Site {
  readonly bare: string
  runner(): Promise<Installation>
}

export const sharedBy = async (here: Installation, manifest: string): Promise<Site> => {
  const bare = await bareRepository()
  const author = join(here.folder, 'author')
  await git(here.folder, 'clone', '--quiet', bare, author)
  await writeFile(join(author, 'deploymgmt.yaml'), manifest)
  await git(author, 'checkout', '--quiet', '-B', 'main')
  await git(author, 'add', '.')
  await git(author, 'commit', '--quiet', '-m', 'declares')
  await git(author, 'push', '--quiet', 'origin', 'main')
  let runners = 0
  const runner = async (): Promise<Installation> => {
    runners += 1
    const folder = join(here.folder, `runner-${runners}`)
    // As in pipelines: shallow, and not on a branch.
    await git(here.folder, 'clone', '--quiet', '--depth=1', `file://${bare}`, folder)
    await git(folder, 'checkout', '--quiet', '--detach')
    return within(here, folder)
  }
  return { bare, runner }
}
