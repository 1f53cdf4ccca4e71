/** Random histories of one workspace, run by the real Terraform and judged by what the service really holds. */
import { inspect } from 'node:util'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { tally } from '../world/tally.ts'
import { hclOf, type Declared } from './histories/declared.ts'
import { beginnings } from './histories/edits.ts'
import { Oracle } from './histories/oracle.ts'
import { apply } from './histories/run.ts'
import { steps } from './histories/steps.ts'
import { newWorld, type World } from './histories/world.ts'
import { noTerraform } from './support/terraform.ts'

/** What `npm run simulate -- --terraform` asks for; without it these are the same ones each time. */
const { HISTORIES, HISTORIES_SEED = '1', HISTORIES_AGAIN: path } = process.env

interface Beginning {
  readonly declared: Declared
  /** Whether events tell values. */
  readonly tells: boolean
}

const claimsOf = async (
  { declared, tells }: Beginning,
  history: Iterable<fc.AsyncCommand<Oracle, World, boolean>>,
): Promise<void> => {
  const world = await newWorld(tells)
  const oracle = new Oracle(declared)
  try {
    await world.configure(hclOf(declared))
    await apply(oracle, world)
    await fc.asyncModelRun(() => ({ model: oracle, real: world }), history)
  } finally {
    await world.close()
  }
}

/** The first history of which a claim is false, in words, or nothing. */
const falseClaim = async (): Promise<string> => {
  const histories = fc.commands([steps], { maxCommands: 30, size: 'max' })
  const property = fc.asyncProperty(
    fc.record({ declared: beginnings, tells: fc.constantFrom(false, false, true) }),
    histories,
    claimsOf,
  )
  const { failed, counterexample, counterexamplePath, errorInstance } = await fc.check(property, {
    numRuns: path === undefined ? Number(HISTORIES ?? 6) : 1,
    seed: Number(HISTORIES_SEED),
    // The shortest form costs many runs of Terraform.
    endOnFailure: true,
    ...(path === undefined ? {} : { path }),
  })
  if (HISTORIES !== undefined) process.stdout.write(`${tally()}\n`)
  if (!failed) return ''
  const [beginning, history = []] = counterexample ?? []
  const { stack, actual, expected } = errorInstance as Error & { actual?: unknown; expected?: unknown }
  return [
    `seed ${HISTORIES_SEED}: npm run simulate -- --terraform --seed ${HISTORIES_SEED} --again '${counterexamplePath ?? ''}'`,
    `begins with ${JSON.stringify(beginning)}`,
    ...[...history].map((each) => `- ${String(each)}`),
    stack,
    `found ${inspect(actual, { depth: 6 })}`,
    `expected ${inspect(expected, { depth: 6 })}`,
  ].join('\n')
}

it.skipIf(noTerraform)(
  'a workspace reaches what is declared, undoes nothing else, and makes nothing twice, in any history',
  { timeout: 86_400_000 },
  async () => {
    expect(await falseClaim()).toBe('')
  },
)
