import { dirname, resolve } from 'node:path'
import { baseUrlIn, checkBaseUrl, type Client } from '@deploymgmt/provider/api'
import { kinds } from '@deploymgmt/provider/kinds'
import type { Values } from '@deploymgmt/provider/core'
import {
  applyEffects,
  readDataSource,
  settle,
  type Declaration,
  type LostWrite,
  type Reason,
  type Records,
  type Settlement,
} from '@deploymgmt/provider/engine'
import { loadDeclaration, renderFindings, type LoadedDeclaration, type ReadData } from '../config/index.ts'
import { UnknownOutcomeError } from '../errors/index.ts'
import type { Io } from '../io.ts'
import { print } from '../io.ts'
import { resolveWords } from '../render/resolve.ts'
import { commandWords } from '../render/words.ts'
import { lostWrite } from '../apply/ledger.ts'
import type { OpenIntent, ReadSession } from '../state/index.ts'
import { LOCAL_NAME, LOCAL_STATE, makeFolder } from './local.ts'
import { DEFAULT_STATE, type CommonOptions } from './options.ts'

interface Told {
  /** What is recorded for the declaration of this name; without it, references to recorded ids stay open. */
  readonly recordsOf?: (name: string) => Promise<Records>
  readonly readData?: ReadData
}

/** The manifests, with references to recorded ids resolved where records tell them. */
export const loadManifests = async (
  io: Io,
  options: Pick<CommonOptions, 'file' | 'var' | 'local'>,
  { recordsOf, readData }: Told = {},
): Promise<LoadedDeclaration> => {
  const rehearsal = options.local === true
  const base = {
    files: options.file,
    vars: options.var,
    cwd: io.cwd,
    env: io.env,
    rehearsal,
    ...(readData === undefined ? {} : { readData }),
  }
  const loaded = await loadDeclaration(
    recordsOf === undefined
      ? { ...base, offline: true }
      : { ...base, recordedIn: async (name) => recordedIn(await recordsOf(name)) },
    kinds,
  )
  const warnings = loaded.warnings.filter(({ severity }) => severity === 'warning')
  if (warnings.length > 0) await print(io.stderr, renderFindings(warnings, {}))
  return loaded
}

/** What references can know of recorded things. */
export const recordedIn =
  (records: Records) =>
  (address: string): Record<string, unknown> | undefined => {
    const record = records[address]
    return record === undefined ? undefined : { ...record.answer, ...record.identity }
  }

/** Reads data sources with a client; what was read once holds for the whole run. */
export const dataReader = (client: Client): ReadData => {
  const read = new Map<string, Promise<Values>>()
  return (definition, values) => {
    const key = JSON.stringify([definition.name, values])
    const reading = read.get(key) ?? readDataSource(client, definition, values).then((told) => ({ ...told }))
    read.set(key, reading)
    return reading
  }
}

/** A state as a command has it open. */
interface Opened {
  readonly state: { readonly resources: Records }
  readonly close?: () => Promise<void>
}

/**
 * The manifests and their state. The state is opened by the name that the manifests declare, recovered, and
 * then tells what they refer to, so that both speak of the same moment.
 */
export const loadWithState = async <S extends Opened>(
  io: Io,
  options: Pick<CommonOptions, 'file' | 'var' | 'local'>,
  readData: ReadData,
  open: (name: string) => Promise<S>,
): Promise<{ loaded: LoadedDeclaration; session: S }> => {
  const opened: S[] = []
  try {
    const recordsOf = async (name: string): Promise<Records> => {
      const session = await open(name)
      opened.push(session)
      return session.state.resources
    }
    const loaded = await loadManifests(io, options, { recordsOf, readData })
    return { loaded, session: opened[0] ?? (await open(loaded.declaration.name)) }
  } catch (error) {
    for (const session of opened) await session.close?.()
    throw error
  }
}

/** The address of the service, for commands that need no more of it. */
export const baseUrlFrom = async ({ env }: Io, options: CommonOptions): Promise<string> =>
  options.local === true
    ? LOCAL_NAME
    : checkBaseUrl(baseUrlIn(env, '; or try --local'), options.allowHttp === true).href.replace(/\/+$/, '')

/** All that an address can mean: what is declared, and what is recorded. */
export const addressesIn = ({ entries }: Declaration, records: Records): string[] => [
  ...entries.map(({ address }) => address),
  ...Object.keys(records),
]

export const statePathOf = (io: Io, options: Pick<CommonOptions, 'state' | 'local'>): string =>
  resolve(io.cwd, stateFileOf(options))

/** The same for a command that writes a first state: a rehearsal's folder is made when it is first needed. */
export const newStatePathOf = async (
  io: Io,
  options: Pick<CommonOptions, 'state' | 'local'>,
): Promise<string> => {
  const path = statePathOf(io, options)
  if (options.local === true) await makeFolder(dirname(path))
  return path
}

/** The state file as a person knows it. */
export const stateFileOf = ({ state, local }: Pick<CommonOptions, 'state' | 'local'>): string =>
  local === true && state === DEFAULT_STATE ? LOCAL_STATE : state

/**
 * Finds out about writes of unknown outcome before anything else is planned.
 * @throws UnknownOutcomeError when a person has to decide.
 */
export const settleOrStop = async (
  unknown: readonly OpenIntent[],
  records: Records,
  loaded: LoadedDeclaration,
  client: Client,
  again: string,
): Promise<Settlement['settled']> => {
  const { declaration } = loaded
  const facts = { definitions: kinds, declaration, records, client }
  const { settled, open } = await settle(unknown.map(lostWrite), facts)
  if (open.length > 0) throw unknownOutcome(open, again)
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
  again: string,
): Promise<Settlement['settled']> =>
  busy === undefined ? settleOrStop(unknown, state.resources, loaded, client, again) : []

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
  applyEffects(
    result,
    settled.flatMap(({ effects }) => [...effects]),
  )
  return result
}

/** The error that names each address and the two commands that resolve it. */
export const unknownOutcome = (
  open: readonly {
    readonly write: Pick<LostWrite, 'address' | 'method' | 'path'>
    readonly because: Reason | undefined
  }[],
  again = '',
): UnknownOutcomeError => {
  const { says } = commandWords()
  const lines = open.flatMap(({ write: { address, method, path }, because }) => [
    `${address}: ${method} ${path}${because === undefined ? '' : ` (${says(because)})`}`,
    ...resolveWords(address, method === 'POST', again).map((command) => `    ${command}`),
  ])
  const what = open.length === 1 ? 'an earlier request' : `${open.length} earlier requests`
  return new UnknownOutcomeError(
    `the outcome of ${what} is unknown; nothing else is done until it is resolved`,
    {
      hint: `Look at the service, then say what is true:\n  ${lines.join('\n  ')}`,
    },
  )
}
