import { isNone, type Identity, type KindDefinition } from '@deploymgmt/provider/core'
import { kinds } from '@deploymgmt/provider/kinds'
import {
  accepted,
  eventsAbout,
  stepAside,
  type Effect,
  type RecordedResource,
  type Records,
} from '@deploymgmt/provider/engine'
import { loadName } from '../config/index.ts'
import { AddressError, ManifestNotFoundError } from '../errors/index.ts'
import type { Io } from '../io.ts'
import { print } from '../io.ts'
import { writeOutput } from '../output.ts'
import { renderStateList, renderStateShow, toJson } from '../render/index.ts'
import { detailOf, spanOf } from '../settle-evidence.ts'
import {
  initState,
  openSession,
  readSession,
  unlock,
  type OpenIntent,
  type Session,
  loadState as loadStateFile,
} from '../state/index.ts'
import { againFlags } from './again.ts'
import type { CommonOptions } from './options.ts'
import { styleOf } from './style.ts'
import { withClient } from './with-client.ts'
import {
  baseUrlFrom,
  busyWarnings,
  loadManifests,
  stateFileOf,
  statePathOf,
  newStatePathOf,
} from './workspace.ts'

/** Which state is meant, and whose it is: the manifest's name and the service's address belong to it. */
/** For looking at a state, its own name is as good as a manifest's; without a manifest nothing else is known. */
const stateShown = async (io: Io, options: CommonOptions) => {
  const statePath = statePathOf(io, options)
  try {
    return await stateMeant(io, options)
  } catch (error) {
    const found = error instanceof ManifestNotFoundError ? await loadStateFile(statePath) : undefined
    if (found === undefined) throw error
    const { name, baseUrl } = found.state
    return { statePath, expect: { name, baseUrl } }
  }
}

const stateMeant = async (io: Io, options: CommonOptions) => {
  const { file: files, var: vars } = options
  const name = await loadName({ files, vars, cwd: io.cwd, env: io.env }, kinds)
  return { statePath: statePathOf(io, options), expect: { name, baseUrl: await baseUrlFrom(io, options) } }
}

export const stateInit = async (io: Io, options: CommonOptions): Promise<number> => {
  const { expect } = await stateMeant(io, options)
  await initState({ statePath: await newStatePathOf(io, options), expect, command: 'state init' })
  await print(
    io.stderr,
    `An empty state was written to ${stateFileOf(options)}. Next: deploymgmt plan${againFlags(options)}`,
  )
  return 0
}

interface Row {
  readonly address: string
  readonly kind: string
  readonly id: string | null
  readonly status: 'recorded' | 'unknown'
}

export const stateList = async (io: Io, options: CommonOptions): Promise<number> => {
  const session = await readSession(await stateShown(io, options))
  for (const notice of [...session.notices, ...busyWarnings(session)]) await print(io.stderr, notice)
  const unknown = new Map(session.unknown.map((intent) => [intent.address, intent]))
  const recorded = Object.entries(session.state.resources).map(([address, record]): Row => ({
    address,
    kind: record.kind,
    id: keyOf(record) ?? null,
    status: unknown.has(address) ? 'unknown' : 'recorded',
  }))
  const open = [...unknown.values()]
    .filter(({ address }) => session.state.resources[address] === undefined)
    .map(({ address, kind }): Row => ({ address, kind, id: null, status: 'unknown' }))
  const rows = [...recorded, ...open].toSorted((a, b) => (a.address < b.address ? -1 : 1))
  const lines = rows.map((row) => ({ ...row, wasCreation: unknown.get(row.address)?.method === 'POST' }))
  await writeOutput(
    io,
    options,
    options.format === 'json' ? toJson(rows, { indent: 2 }) : renderStateList(lines, styleOf(io, options)),
  )
  return 0
}

const keyOf = ({ kind, identity }: RecordedResource): string | undefined => {
  const definition = kinds.find((each) => each.kind === kind)
  return definition === undefined ? undefined : identity[definition.identity.key]
}

export const stateShow = async (io: Io, options: CommonOptions, address: string): Promise<number> => {
  const session = await readSession(await stateShown(io, options))
  const record = recordAt(session.state.resources, address)
  const shown = { address, ...record }
  await writeOutput(
    io,
    options,
    options.format === 'json' ? toJson(shown, { indent: 2 }) : renderStateShow(shown, styleOf(io, options)),
  )
  return 0
}

const recordAt = (records: Readonly<Record<string, RecordedResource>>, address: string): RecordedResource => {
  const record = records[address]
  if (record !== undefined) return record
  const close = Object.keys(records).filter((known) => known.startsWith(address) || address.startsWith(known))
  throw new AddressError(`nothing is recorded at ${address}`, {
    hint: close.length > 0 ? `There is: ${close.slice(0, 5).join(', ')}.` : AddressError.remedy,
  })
}

/** Opens the state, changes it, and saves it. */
const change = async (
  io: Io,
  options: CommonOptions,
  command: string,
  act: (session: Session) => Promise<string>,
): Promise<number> => {
  const { statePath, expect } = await stateMeant(io, options)
  const session = await openSession({ statePath, expect, command })
  try {
    for (const notice of session.notices) await print(io.stderr, notice)
    const said = await act(session)
    await session.commit()
    await print(io.stderr, said)
    return 0
  } finally {
    await session.close()
  }
}

/** What follows a section: a name, and the key of an instance behind it. */
const NAME_AND_KEY = /^[A-Za-z0-9_][A-Za-z0-9_-]*(?:\[[^[\]]+\])*$/

export const stateMove = (io: Io, options: CommonOptions, from: string, to: string): Promise<number> =>
  change(io, options, 'state mv', async (session) => {
    const record = recordAt(session.state.resources, from)
    if (session.state.resources[to] !== undefined)
      throw new AddressError(`${to} is recorded already`, { hint: 'Move or forget that one first.' })
    const section = kinds.find(({ kind }) => kind === record.kind)?.section ?? ''
    if (!to.startsWith(`${section}.`) || !NAME_AND_KEY.test(to.slice(section.length + 1)))
      throw new AddressError(`${to} is not an address of the section ${section}`, {
        hint: `An address is ${section}.NAME.`,
      })
    await session.effects([{ op: 'move', from, to }])
    return `${from} is now ${to}. Nothing was sent.`
  })

export const stateForget = (io: Io, options: CommonOptions, address: string): Promise<number> =>
  change(io, options, 'state forget', async (session) => {
    recordAt(session.state.resources, address)
    await session.effects([{ op: 'drop', address }])
    return `${address} is forgotten. Nothing was sent; the thing itself stays as it is.`
  })

/** What happened outside is fine: events up to now no longer make the thing a suspect. */
export const stateAccept = (io: Io, options: CommonOptions, address: string): Promise<number> =>
  withClient(io, options, (client) =>
    change(io, options, 'state accept', async (session) => {
      const { declaration } = await loadManifests(io, options)
      const record = recordAt(session.state.resources, address)
      const definition = kinds.find(({ kind }) => kind === record.kind)
      const events =
        definition === undefined ? [] : await eventsAbout(client, definition, record, declaration)
      const resource = accepted(record, {
        definition,
        declared: declaration.entries.find((entry) => entry.address === address)?.values ?? {},
        events: events.map(({ id }) => id),
        now: new Date(client.serviceNow()),
      })
      const put: Effect = { op: 'put', address, resource }
      await session.effects([put])
      return `${address}: ${events.length === 0 ? 'nothing new was found' : `${events.length} ${events.length === 1 ? 'event' : 'events'} accepted`}; what is recorded counts as it is.`
    }),
  )

export const stateUnlock = async (io: Io, options: CommonOptions, id: string): Promise<number> => {
  await unlock(statePathOf(io, options), id)
  await print(io.stderr, 'The lock is gone. Make sure that the command that held it has ended.')
  return 0
}

/** A person says what became of a write of unknown outcome. */
export const stateResolve = (
  io: Io,
  options: CommonOptions,
  address: string,
  how: { readonly created?: string; readonly notCreated?: boolean },
): Promise<number> =>
  change(io, options, 'state resolve', async (session) => {
    const intents = session.unknown.filter((intent) => intent.address === address)
    if (intents.length === 0)
      throw new AddressError(`no request about ${address} is of unknown outcome`, {
        hint: 'deploymgmt state list shows which are.',
      })
    for (const intent of intents)
      await session.resolve(
        intent.n,
        how.created === undefined ? [] : created(intent, how.created, session.state.resources),
        'a person decided',
      )
    return how.created === undefined
      ? `${address} counts as not done; the next plan decides anew.`
      : `${address} is recorded with the id ${how.created}.`
  })

/** An id that is none, or another thing's, would let later writes change what is not ours. */
const refuseWrongId = (definition: KindDefinition, identity: Identity, records: Records): void => {
  const { key } = definition.identity
  const id = identity[key] ?? ''
  if (!/^[0-9a-f]{24}$/i.test(id))
    throw new AddressError(`${JSON.stringify(id)} is not an id of the service`, {
      hint: 'Give the id as the service shows it: 24 hexadecimal digits.',
    })
  const taken = Object.entries(records).find(
    ([, record]) => record.kind === definition.kind && record.identity[key] === id,
  )
  if (taken !== undefined)
    throw new AddressError(`${id} is recorded already, at ${taken[0]}`, {
      hint: 'Look again: the thing that the request made has another id.',
    })
}

const created = (intent: OpenIntent, id: string, records: Records): Effect[] => {
  const definition = kinds.find(({ kind }) => kind === intent.kind)
  const { expected, sentAt } = detailOf(intent)
  if (definition === undefined || isNone(definition.establish.create) || intent.method !== 'POST')
    throw new AddressError(`${intent.address} was not being created: ${intent.method} ${intent.path}`, {
      hint: 'Use --not-created; the next plan sends it again if it is needed.',
    })
  const identity = { ...expected.identity, [definition.identity.key]: id }
  refuseWrongId(definition, identity, records)
  const resource: RecordedResource = {
    ...expected,
    identity,
    lastWrite: spanOf(intent, Number.POSITIVE_INFINITY),
    watermark: sentAt,
  }
  const { address } = intent
  return [...stepAside(definition, address, records[address]), { op: 'put', address, resource }]
}
