// Takes the lock of the state in argv when stdin says so, and holds it until it is killed or stdin ends. Prints a line
// for each step.
import { createInterface } from 'node:readline'
import { acquireLock } from '../../../../reconciler/state/index.ts'

const statePath = process.argv[2] ?? ''

const take = async (): Promise<void> => {
  try {
    const lock = await acquireLock(statePath, { command: 'apply', at: new Date().toISOString() })
    console.log(lock.notice === undefined ? 'won' : 'took over')
  } catch (error) {
    console.log(error instanceof Error && 'code' in error ? error.code : error)
  }
}

console.log('ready')
for await (const line of createInterface(process.stdin)) if (line === 'go') await take()
