import { execFileSync } from 'node:child_process'
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { readFileSync } from 'node:fs'
import { costOf, GIVEN_UP_MS, wallOf } from '../measuring/cost.ts'
import { inTurn, median } from '../measuring/figures.ts'
import { COMMAND, ROOT, serve } from '../measuring/site.ts'
import { type Bench, type Found, NotHere, type Row } from '../row.ts'

const bare = ['-e', '0']

const versionUnder = async (bench: Bench, node: string): Promise<Found> => {
  const command = { cwd: bench.folder, env: bench.env }
  // Both are short, so a single one says little.
  const taken = await inTurn(bench.runs * 5, {
    version: () => wallOf({ ...command, words: [node, COMMAND, '--version'] }),
    node: () => wallOf({ ...command, words: [node, ...bare] }),
  })
  const [version, empty] = [median(taken.version), median(taken.node)]
  return { value: version / empty, from: { 'version ms': version, 'node -e 0 ms': empty } }
}

/** The first Node on PATH that is not the checkout's. */
const machinesNode = (): string => {
  const path = (process.env['PATH'] ?? '').split(':').filter((folder) => !folder.includes('node_modules'))
  try {
    const words = ['-p', 'process.execPath + " " + process.version']
    const told = execFileSync('node', words, {
      env: { PATH: path.join(':') },
      encoding: 'utf8',
      timeout: GIVEN_UP_MS,
    })
    const [node = '', version] = told.trim().split(' ')
    if (version !== process.version) return node
  } catch {
    // There is none.
  }
  throw new NotHere(`no other Node.js than ${process.version} is on PATH`)
}

const planOfSeven = async (bench: Bench): Promise<Found> => {
  const quickstart = join(ROOT, 'examples', 'quickstart')
  const held = load(readFileSync(join(quickstart, 'fixture.yaml'), 'utf8')) as object
  const site = await serve(bench, 'seven', held)
  await mkdir(site.folder, { recursive: true })
  await cp(join(quickstart, 'deploymgmt.yaml'), join(site.folder, 'deploymgmt.yaml'))
  const env = {
    ...site.env,
    DEPLOYMGMT_PUBLIC_KEY: 'ciadmin',
    DEPLOYMGMT_PRIVATE_KEY: '9d2c2a3e-quickstart-key',
    DANA_INITIAL_PASSWORD: 'Correct-Horse-7',
  }
  const command = { cwd: site.folder, env }
  const taken = await inTurn(bench.runs, {
    plan: () => costOf({ ...command, words: [process.execPath, COMMAND, 'plan'] }),
    node: () => costOf({ ...command, words: [process.execPath, ...bare] }),
  })
  const [plan, empty] = [taken.plan, taken.node].map((costs) => median(costs.map(({ cpuMs }) => cpuMs))) as [
    number,
    number,
  ]
  return { value: plan / empty, from: { 'plan CPU ms': plan, 'node -e 0 CPU ms': empty } }
}

export const startUp: readonly Row[] = [
  {
    name: 'version',
    says: '`deploymgmt --version` / `node -e 0`, wall',
    target: 1.25,
    measure: (bench) => versionUnder(bench, process.execPath),
  },
  {
    name: 'version-machine',
    says: "the same under the machine's own Node.js",
    target: 1.25,
    measure: (bench) => versionUnder(bench, machinesNode()),
  },
  {
    name: 'plan-of-seven',
    says: 'plan of seven entries / `node -e 0`, CPU',
    target: 5,
    measure: planOfSeven,
  },
]
