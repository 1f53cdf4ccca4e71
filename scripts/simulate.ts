import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/**
 * Random histories against the oracle of `test/world`: `npm run simulate -- --histories 20000 --seed 7`. Each
 * processor gets a share of them, with a seed of its own: the first the one that was given, the others those after it.
 */
const { values } = parseArgs({
  options: {
    histories: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    /** What a failing history has printed, to repeat it alone. */
    again: { type: 'string' },
    workers: { type: 'string', default: String(Math.min(2, availableParallelism())) },
  },
})
const [histories, seed, workers] = [values.histories, values.seed, values.workers].map(Number) as [
  number,
  number,
  number,
]
if (![histories, workers].every((each) => each >= 1) || !Number.isInteger(seed)) {
  console.error('usage: npm run simulate -- [--histories NUMBER] [--seed NUMBER] [--workers NUMBER]')
  process.exit(1)
}

const { again } = values
const root = join(import.meta.dirname, '..')

const simulate = (own: number, share: number): Promise<number> =>
  new Promise((resolve) => {
    console.log(`${share} histories of the seed ${own}`)
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
    const child = spawn(
      process.execPath,
      [vitest, 'run', '--maxWorkers=1', 'test/world/others.test.ts', 'test/world/trouble.test.ts'],
      {
        cwd: root,
        stdio: 'inherit',
        env: {
          ...process.env,
          HISTORIES: String(share),
          HISTORIES_SEED: String(own),
          ...(again === undefined ? {} : { HISTORIES_AGAIN: again }),
        },
      },
    )
    child.on('close', (code) => resolve(code ?? 1))
  })

const shares = Array.from({ length: again === undefined ? workers : 1 }, (_, index) =>
  simulate(seed + index, Math.ceil(histories / workers)),
)
process.exitCode = Math.max(...(await Promise.all(shares)))
