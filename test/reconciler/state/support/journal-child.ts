// Sends one imaginary request after the other until it is killed, and prints the number of each answer that was
// recorded. Commits now and then.
import { openSession } from '../../../../reconciler/state/index.ts'
import { expected, intentFor, put } from './samples.ts'

const statePath = process.argv[2] ?? ''
const session = await openSession({ statePath, expect: expected, command: 'apply' })

const work = async (worker: number): Promise<never> => {
  for (let round = 0; ; round += 1) {
    const address = `things.${worker}-${round}`
    const n = await session.intent(intentFor(address))
    process.stdout.write(`sent ${address}\n`)
    await session.answered(n, [put(address)], 201)
    process.stdout.write(`recorded ${address}\n`)
    if (round % 20 === 19) await session.commit()
  }
}

await Promise.all([1, 2, 3, 4].map(work))
