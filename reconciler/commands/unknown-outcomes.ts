import type { Client } from '@deploymgmt/provider/api'
import {
  applyEffects,
  settle,
  type LostWrite,
  type Reason,
  type Records,
  type Settled,
} from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'
import { lostWrite } from '../apply/ledger.ts'
import type { LoadedDeclaration } from '../config/index.ts'
import { UnknownOutcomeError } from '../errors/index.ts'
import type { Io } from '../io.ts'
import type { Target } from './target.ts'
import { tell } from './tell.ts'
import { resolveCommands } from '../render/resolve-commands.ts'
import { commandWords } from '../render/words.ts'
import type { OpenIntent, ReadSession } from '../state/index.ts'

/**
 * Finds out about writes of unknown outcome before anything else is planned, by reads alone: what an apply first
 * settles by a write of its own counts as it is expected to end, and is said.
 * @throws UnknownOutcomeError when a person has to decide.
 */
const settleOrStop = async (
  unknown: readonly OpenIntent[],
  records: Records,
  loaded: LoadedDeclaration,
  client: Client,
  { io, sameFlags, target }: Telling,
): Promise<Found> => {
  const { declaration } = loaded
  const facts = { definitions: kinds, declaration, records, client, target }
  const { settled, pending, open } = await settle(unknown.map(lostWrite), facts)
  if (open.length > 0) throw unknownOutcome(open, sameFlags)
  const words = commandWords(declaration.projectNames)
  for (const { address, how } of settled) await tell(io, `Settled: ${address}: ${words.says(how)}`)
  return {
    settled: [...settled, ...pending],
    warnings: pending.map(({ address, how }) => `to be settled by apply: ${address}: ${words.says(how)}`),
  }
}

/** What evidence tells of writes of unknown outcome. */
interface Found {
  readonly settled: readonly Settled[]
  /** What only a write of an apply can settle, for the warnings of a report. */
  readonly warnings: readonly string[]
}

/** How a command talks about what it has found. */
export interface Telling {
  readonly io: Pick<Io, 'stderr'>
  readonly sameFlags: string
  readonly target?: Target['target'] | undefined
}

/**
 * The same for commands that only read. While another command writes, what has no answer yet may just be on its
 * way, and nothing is settled.
 */
export const settleUnlessBusy = async (
  { unknown, busy, state }: Pick<ReadSession, 'unknown' | 'busy' | 'state'>,
  loaded: LoadedDeclaration,
  client: Client,
  telling: Telling,
): Promise<Found> =>
  busy === undefined
    ? settleOrStop(unknown, state.resources, loaded, client, telling)
    : { settled: [], warnings: [] }

/** Says that another command is writing, for the warnings of a report. */
export const busyWarnings = ({ unknown, busy }: Pick<ReadSession, 'unknown' | 'busy'>): string[] => {
  if (busy === undefined) return []
  const { command, pid, host } = busy
  const open = [...new Set(unknown.map(({ address }) => address))]
  const flight = open.length === 0 ? '' : `; it may just be sending ${open.join(', ')}`
  return [
    `another command is writing to the state (deploymgmt ${command}, process ${pid} on ${host})${flight}: what it changes may not be in this report`,
  ]
}

/** Records as they will be once what was settled is written down; for commands that write nothing. */
export const withSettled = (records: Records, settled: readonly Settled[]): Records => {
  const result = { ...records }
  for (const { effects } of settled) applyEffects(result, effects)
  return result
}

/** The error that names each address and the two commands that resolve it. */
export const unknownOutcome = (
  open: readonly {
    readonly write: Pick<LostWrite, 'address' | 'method' | 'path'>
    readonly because: Reason | undefined
  }[],
  sameFlags = '',
): UnknownOutcomeError => {
  const { says } = commandWords()
  const lines = open.flatMap(({ write: { address, method, path }, because }) => [
    `${address}: ${method} ${path}${because === undefined ? '' : ` (${says(because)})`}`,
    ...resolveCommands(address, method === 'POST', sameFlags)
      // Whoever could not look at events cannot tell that it is not there either.
      .filter((command) => because?.code !== 'nowhere-to-look' || !command.includes('--not-created'))
      .map((command) => `    ${command}`),
  ])
  const what = open.length === 1 ? 'an earlier request' : `${open.length} earlier requests`
  return new UnknownOutcomeError(
    `the outcome of ${what} is unknown; nothing else is done until it is resolved`,
    {
      hint: `Look at the service, then say what is true:\n  ${lines.join('\n  ')}`,
    },
  )
}
