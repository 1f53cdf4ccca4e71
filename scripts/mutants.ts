import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { terraformMutants } from '../test/terraform/histories/mutants.ts'
import { mutants, type Mutant } from '../test/world/mutants.ts'
import { scriptArguments } from './script-arguments.ts'

/**
 * Puts each defect of the world and of Terraform's histories into a copy of the sources and runs those histories
 * against it: `npm run mutants -- --histories 600 --seed 1 --only 'a part of the name'`. Fails if no history finds a
 * defect.
 */
const { values } = scriptArguments(
  'npm run mutants -- [--histories NUMBER] [--seed NUMBER] [--only TEXT]',
  () =>
    parseArgs({
      options: {
        histories: { type: 'string', default: '600' },
        seed: { type: 'string', default: '1' },
        only: { type: 'string', default: '' },
      },
    }),
)

const root = join(import.meta.dirname, '..')
const SOURCES = [
  'provider',
  'reconciler',
  'constructs',
  'service',
  'test',
  'package.json',
  'tsconfig.json',
  'tsconfig.base.json',
]
const CONFIG = `import { defineConfig } from 'vitest/config'
const conditions = ['@deploymgmt/source', 'node', 'module', 'default']
export default defineConfig({ resolve: { conditions }, ssr: { resolve: { conditions } }, test: { isolate: false } })
`

/** Copies only the sources, which run as they are; packages are those of the checkout, except our own. */
const copySources = (): string => {
  const copy = mkdtempSync(join(tmpdir(), 'deploymgmt-mutants-'))
  for (const name of SOURCES)
    cpSync(join(root, name), join(copy, name), { recursive: true, filter: (path) => !path.endsWith('/dist') })
  const packages = join(copy, 'node_modules')
  mkdirSync(join(packages, '@deploymgmt'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')).filter((each) => each !== '@deploymgmt'))
    symlinkSync(join(root, 'node_modules', name), join(packages, name))
  for (const name of ['provider', 'constructs', 'service'])
    symlinkSync(join(copy, name), join(packages, '@deploymgmt', name))
  writeFileSync(join(copy, 'vitest.config.ts'), CONFIG)
  return copy
}

/** Defects, and the histories that have to find them. */
interface Suite {
  readonly defects: readonly Mutant[]
  readonly files: readonly string[]
}

const SUITES: readonly Suite[] = [
  {
    defects: mutants,
    files: ['test/world/others.test.ts', 'test/world/trouble.test.ts', 'test/world/deletions.test.ts'],
  },
  { defects: terraformMutants, files: ['test/terraform/histories.test.ts'] },
]

/** The output of the first failing histories in the present copy; undefined if none fails. */
const run = (
  copy: string,
  files: readonly string[],
  histories: string,
  store?: string,
): string | undefined => {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const words = [vitest, 'run', '--maxWorkers=1', '--bail=1', ...files]
  const env = { HISTORIES: histories, HISTORIES_SEED: values.seed, HISTORIES_AS_MET: 'yes', NO_COLOR: '1' }
  const kept = store === undefined ? {} : { HISTORIES_STORE: store }
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: copy,
    encoding: 'utf8',
    env: { ...process.env, ...env, ...kept },
  })
  return status === 0 ? undefined : `${stdout}${stderr}`
}

/** Whether histories find the defect, and which one. */
const isCaught = (
  copy: string,
  files: readonly string[],
  { name, file, from, to, store }: Mutant,
): boolean => {
  const path = join(copy, file)
  const sources = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    sources.replace(from, () => to),
  )
  const said = run(copy, files, values.histories, store)
  writeFileSync(path, sources)
  const history = said === undefined ? undefined : historyIn(said)
  console.log(history === undefined ? `NOT caught: ${name}\n${said ?? ''}` : `caught: ${name}\n${history}`)
  return history !== undefined
}

const historyIn = (said: string): string | undefined => {
  const lines = said.split('\n').map((line) => line.replace(/^\+ /, ''))
  const from = lines.findIndex((line) => /^seed \d+: /.test(line))
  const rest = lines.slice(from)
  const steps = rest.findIndex((line) => /^\s+at /.test(line))
  return from === -1
    ? undefined
    : rest
        .slice(0, Math.max(1, steps))
        .map((line) => `    ${line}`)
        .join('\n')
}

const copy = copySources()
try {
  const suites = SUITES.map(({ defects, files }) => ({
    files,
    chosen: defects.filter(({ name }) => name.includes(values.only)),
  })).filter(({ chosen }) => chosen.length > 0)
  for (const { files } of suites) {
    const sound = run(copy, files, '10')
    if (sound !== undefined) throw new Error(`the sources fail as they are:\n${sound}`)
  }
  const chosen = suites.flatMap((suite) => suite.chosen)
  const caught = suites.flatMap(({ files, chosen: own }) =>
    own.filter((mutant) => isCaught(copy, files, mutant)),
  )
  console.log(`${caught.length} of ${chosen.length} defects are caught`)
  process.exitCode = caught.length === chosen.length ? 0 : 1
} finally {
  rmSync(copy, { recursive: true, force: true })
}
