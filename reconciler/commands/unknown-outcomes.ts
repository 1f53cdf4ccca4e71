import type { Client } from '@deploymgmt/provider/api'
import {
  applyEffects,
  settle,
  type LostWrite,
  type Reason,
  type Records,
  type Settlement,
} from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'
import { lostWrite } from '../apply/ledger.ts'
import type { LoadedDeclaration } from '../config/index.ts'
import { UnknownOutcomeError } from '../errors/index.ts'
import { resolveCommands } from '../render/resolve-commands.ts'
import { commandWords } from '../render/words.ts'
import type { OpenIntent, ReadSession } from '../state/index.ts'

/**
 * Finds out about writes of unknown outcome before anything else is planned.
 * @throws UnknownOutcomeError when a person has to decide.
 */
export const settleOrStop = async (
  unknown: readonly OpenIntent[],
  records: Records,
  loaded: LoadedDeclaration,
  client: Client,
  sameFlags: string,
): Promise<Settlement['settled']> => {
  const { declaration } = loaded
  const facts = { definitions: kinds, declaration, records, client }
  const { settled, open } = await settle(unknown.map(lostWrite), facts)
  if (open.length > 0) throw unknownOutcome(open, sameFlags)
  return settled
}

/**
 * The same for commands that only read. While another command writes, what has no answer yet may just be on its
 * way, and nothing is settled.
 */
export const settleUnlessBusy = async (
  { unknown, busy, state }: Pick<ReadSession, 'unknown' | 'busy' | 'state'>,
  loaded: LoadedDeclaration,
  client: Client,
  sameFlags: string,
): Promise<Settlement['settled']> =>
  busy === undefined ? settleOrStop(unknown, state.resources, loaded, client, sameFlags) : []

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
export const withSettled = (records: Records, settled: Settlement['settled']): Records => {
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
    ...resolveCommands(address, method === 'POST', sameFlags).map((command) => `    ${command}`),
  ])
  const what = open.length === 1 ? 'an earlier request' : `${open.length} earlier requests`
  return new UnknownOutcomeError(
    `the outcome of ${what} is unknown; nothing else is done until it is resolved`,
    {
      hint: `Look at the service, then say what is true:\n  ${lines.join('\n  ')}`,
    },
  )
}
