import { execFileSync } from 'node:child_process'
import { mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { costOf, GIVEN_UP_MS } from '../measuring/cost.ts'
import { inTurn, median } from '../measuring/figures.ts'
import { ROOT } from '../measuring/site.ts'
import { type Bench, NotHere, type Row } from '../row.ts'

/** The last commit before the command was a bundle. */
const BEFORE = '2de70ec'
const PACKAGES = ['constructs', 'provider', 'service']

/** A built checkout of that commit, with the packages of this one. */
const formerCheckout = async (bench: Bench): Promise<string> => {
  const folder = join(bench.folder, 'former')
  await mkdir(join(folder, 'node_modules', '@deploymgmt'), { recursive: true })
  try {
    const archive = execFileSync('git', ['archive', BEFORE], {
      cwd: ROOT,
      maxBuffer: 2 ** 28,
      timeout: GIVEN_UP_MS,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    execFileSync('tar', ['x', '-C', folder], { input: archive, timeout: GIVEN_UP_MS })
  } catch {
    throw new NotHere(`commit ${BEFORE} is not in this clone`)
  }
  const ours = join(ROOT, 'node_modules')
  for (const name of await readdir(ours))
    if (!['@deploymgmt', 'deploymgmt', '.cache'].includes(name))
      await symlink(join(ours, name), join(folder, 'node_modules', name))
  for (const name of PACKAGES)
    await symlink(join(folder, name), join(folder, 'node_modules', '@deploymgmt', name))
  const tsc = join(ours, 'typescript', 'bin', 'tsc')
  execFileSync(process.execPath, [tsc, '-b', 'provider', 'service', 'reconciler'], {
    cwd: folder,
    timeout: GIVEN_UP_MS,
  })
  return folder
}

export const quickstart: Row = {
  name: 'quickstart',
  says: `\`npm run quickstart\` / at ${BEFORE}, wall`,
  target: 0.6,
  measure: async (bench) => {
    const former = await formerCheckout(bench)
    const words = ['npm', 'run', 'quickstart']
    const taken = await inTurn(bench.runs, {
      now: () => costOf({ words, cwd: ROOT, env: bench.env }),
      former: () => costOf({ words, cwd: former, env: bench.env }),
    })
    const [now, before] = [taken.now, taken.former].map((costs) =>
      median(costs.map(({ wallMs }) => wallMs)),
    ) as [number, number]
    return { value: now / before, from: { 'now ms': now, [`${BEFORE} ms`]: before } }
  },
}
