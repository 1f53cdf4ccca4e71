import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { scriptArguments } from './script-arguments.ts'

/**
 * Random histories against the oracle of `test/world`: `npm run simulate -- --histories 20000 --seed 7`. They run in
 * batches with consecutive seeds, starting with the given one, so that a failure only ends its batch; each processor
 * takes the next batch when it has finished one. The last lines give the number of histories, those left over in a
 * failed batch, and the seeds that failed. With `--terraform` they run through the real Terraform, judged by
 * `test/terraform/histories`.
 */
const USAGE =
  'npm run simulate -- [--histories NUMBER] [--seed NUMBER] [--again HISTORY] [--workers NUMBER] [--store NAME | --terraform]'
const { values, histories, seed, workers } = scriptArguments(USAGE, () => {
  const parsed = parseArgs({
    options: {
      histories: { type: 'string', default: '20000' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      /** The output of a failing history, to repeat it alone. */
      again: { type: 'string' },
      /** Through the real Terraform, in place of the command. */
      terraform: { type: 'boolean' },
      /** Where all of them keep their state: file, http, gitlab, git or postgres. */
      store: { type: 'string' },
      workers: { type: 'string', default: String(Math.min(2, availableParallelism())) },
    },
  })
  const numbers = {
    histories: Number(parsed.values.histories),
    seed: Number(parsed.values.seed),
    workers: Number(parsed.values.workers),
  }
  if (!(numbers.histories >= 1 && numbers.workers >= 1 && Number.isInteger(numbers.seed)))
    throw new Error('--histories, --seed and --workers take a number')
  return { ...parsed, ...numbers }
})

const BATCH = 500
const { again, store } = values
const FILES =
  values.terraform === true
    ? ['test/terraform/histories.test.ts']
    : ['test/world/others.test.ts', 'test/world/trouble.test.ts', 'test/world/deletions.test.ts']
const root = join(import.meta.dirname, '..')
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')

/** Runs a batch, prints its output once it has ended, and returns whether every claim was true and could be judged. */
const simulate = (own: number, share: number): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      [
        vitest,
        'run',
        '--maxWorkers=1',
        // Each batch has a processor of its own.
        '--execArgv=--single-threaded-gc',
        ...FILES,
      ],
      {
        cwd: root,
        env: {
          ...process.env,
          HISTORIES: String(share),
          HISTORIES_SEED: String(own),
          ...(again === undefined ? {} : { HISTORIES_AGAIN: again }),
          ...(store === undefined ? {} : { HISTORIES_STORE: store }),
        },
      },
    )
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (said += text))
    child.on('close', (code) => {
      console.log(said)
      resolve(code === 0)
    })
  })

const shares =
  again === undefined
    ? Array.from({ length: Math.ceil(histories / BATCH) }, (_, index) =>
        Math.min(BATCH, histories - index * BATCH),
      )
    : [1]
const batches = shares.entries()
const failed: number[] = []
let made = 0
const work = async (): Promise<void> => {
  for (const [index, share] of batches) {
    if (!(await simulate(seed + index, share))) failed.push(seed + index)
    made += share
    console.log(
      `${made} of ${histories} histories, ${failed.length} batches failed, of seeds: ${failed.join(', ') || 'none'}`,
    )
  }
}
await Promise.all(Array.from({ length: workers }, work))
process.exitCode = failed.length === 0 ? 0 : 1
