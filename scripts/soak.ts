import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Told } from '../test/support/soak.ts'
import { scriptArguments } from './script-arguments.ts'
import { soakParts } from './soak-parts.ts'

/** Tries a great many times what `npm test` tries a few times. */
const PARTS = soakParts()

const USAGE = `npm run soak -- [${Object.keys(PARTS).join('|')}]... [--kills NUMBER] [--workers NUMBER]`
const { kills, workers, parts } = scriptArguments(USAGE, () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      kills: { type: 'string', default: '1000' },
      workers: { type: 'string', default: String(availableParallelism()) },
    },
  })
  const numbers = { kills: Number(values.kills), workers: Number(values.workers) }
  if (!(numbers.kills >= 1 && numbers.workers >= 1)) throw new Error('--kills and --workers take a number')
  const unknown = positionals.filter((part) => PARTS[part] === undefined)
  if (unknown.length > 0) throw new Error(`there is no part ${unknown.join(', ')}`)
  return { ...numbers, parts: positionals.length === 0 ? Object.keys(PARTS) : positionals }
})

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'deploymgmt-soak-'))
const figures = join(folder, 'figures')
writeFileSync(figures, '')

const runShare = (part: string, share: number): Promise<boolean> =>
  new Promise((resolve) => {
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
    const words = ['run', '--maxWorkers=1', '--reporter=dot', '--testTimeout=3600000', ...(PARTS[part] ?? [])]
    const env = { SOAK_KILLS: String(kills), SOAK_SHARE: `${share}/${workers}`, SOAK_FIGURES: figures }
    const child = spawn(process.execPath, [vitest, ...words], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...env },
    })
    child.on('close', (code) => resolve(code === 0))
  })

/** Runs a part in as many processes as there are workers; prints its duration and its result. */
const runPart = async (part: string): Promise<readonly string[]> => {
  const began = Date.now()
  const shares = Array.from({ length: workers }, (_, index) => runShare(part, index + 1))
  const isPassed = (await Promise.all(shares)).every(Boolean)
  if (!isPassed) process.exitCode = 1
  return [part, `${((Date.now() - began) / 60_000).toFixed(1)} min`, isPassed ? 'passed' : 'FAILED']
}

const table = (rows: readonly (readonly string[])[]): string => {
  const [head = [], ...rest] = rows.map((cells) => `| ${cells.join(' | ')} |`)
  return ['', head, `| ${rows[0]?.map(() => '---').join(' | ') ?? ''} |`, ...rest].join('\n')
}

/** Each table with its rows, summed up over the processes. */
const tables = (): string[] => {
  const told = readFileSync(figures, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Told)
  return [...Map.groupBy(told, (each) => each.table)].map(([name, lines]) => {
    const columns = Object.keys(lines[0]?.figures ?? {})
    const rows = [...Map.groupBy(lines, ({ row }) => row)].map(([row, same]) => [
      row,
      ...columns.map((column) =>
        same.reduce((sum, each) => sum + (each.figures[column] ?? 0), 0).toLocaleString('en'),
      ),
    ])
    return table([[name, ...columns], ...rows])
  })
}

const ran: (readonly string[])[] = []
try {
  for (const part of parts) ran.push(await runPart(part))
  console.log([...tables(), table([['Part', 'Took', 'Ended'], ...ran])].join('\n'))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
