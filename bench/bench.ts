/**
 * Measures what the command and the provider cost, as ratios within one run. Run by `npm run bench`; `bench/README.md`
 * explains the table.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleCommand } from '../scripts/command/bundle.ts'
import { scriptArguments } from '../scripts/script-arguments.ts'
import { plot } from './plot.ts'
import { type Bench, NotHere, type Row } from './row.ts'
import { apply } from './rows/apply.ts'
import { bySize, plan } from './rows/plan.ts'
import { quickstart } from './rows/quickstart.ts'
import { startUp } from './rows/start-up.ts'
import { terraform } from './rows/terraform.ts'
import { terraformRequests } from './rows/terraform-requests.ts'
import { json, markdown, type RowResult } from './table.ts'

const ROWS: readonly Row[] = [...plan, ...startUp, ...apply, ...terraform, ...terraformRequests, quickstart]
const [RUNS, QUICK_RUNS] = [9, 3]
/** Rows that measure plans of several sizes, which the plot shows. */
const PLOTTED: readonly string[] = ['plan-growth', 'plan-memory-growth']

const values = scriptArguments('npm run bench -- [--row NAME]... [--quick] [--out FOLDER]', () => {
  const { values: given } = parseArgs({
    options: {
      row: { type: 'string', multiple: true, default: [] },
      quick: { type: 'boolean', default: false },
      out: { type: 'string', default: join('.deploymgmt', 'bench') },
    },
  })
  const unknown = given.row.filter((name) => !ROWS.some((row) => row.name === name))
  if (unknown.length > 0)
    throw new Error(`no row ${unknown.join(', ')}; rows: ${ROWS.map(({ name }) => name).join(', ')}`)
  return given
})

const folder = await mkdtemp(join(tmpdir(), 'deploymgmt-bench-'))
const kept = new Map<string, Promise<unknown>>()
const ends: (() => Promise<void> | void)[] = []
const bench: Bench = {
  runs: values.quick ? QUICK_RUNS : RUNS,
  folder,
  env: {
    PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    HOME: folder,
    TMPDIR: folder,
    NO_COLOR: '1',
  },
  once: <T>(key: string, make: () => Promise<T>) => {
    const made = (kept.get(key) as Promise<T> | undefined) ?? make()
    kept.set(key, made)
    return made
  },
  atEnd: (end) => void ends.push(end),
}

const look = async (row: Row): Promise<RowResult> => {
  process.stderr.write(`${row.name} …\n`)
  try {
    return { row, found: await row.measure(bench) }
  } catch (error) {
    if (error instanceof NotHere) return { row, skipped: error.message }
    // The other rows are still worth measuring.
    process.exitCode = 1
    const message = error instanceof Error ? error.message : String(error)
    process.stderr.write(`${row.name}: ${message}\n`)
    return { row, skipped: `failed: ${message.split('\n', 1)[0] ?? ''}` }
  }
}

const keep = async (outcomes: readonly RowResult[]): Promise<void> => {
  const about = { node: process.version, processors: availableParallelism(), runs: bench.runs }
  await writeFile(join(values.out, 'bench.json'), `${json(outcomes, about)}\n`)
  await writeFile(join(values.out, 'bench.md'), markdown(outcomes))
  if (outcomes.some(({ row, found }) => found !== undefined && PLOTTED.includes(row.name)))
    await writeFile(join(values.out, 'plan-by-size.svg'), plot((await bySize(bench)).points))
}

try {
  await bundleCommand()
  await mkdir(values.out, { recursive: true })
  const outcomes: RowResult[] = []
  for (const row of ROWS) {
    if (values.row.length > 0 && !values.row.includes(row.name)) continue
    outcomes.push(await look(row))
    // A measurement takes long, so it is kept even if a later one fails.
    await keep(outcomes)
  }
  process.stdout.write(markdown(outcomes))
} finally {
  for (const end of ends) await end()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
