import { isNone, type Identity, type KindDefinition } from '@deploymgmt/provider/core'
import { kinds } from '@deploymgmt/provider/kinds'
import {
  spanOfLost,
  stepAside,
  type Effect,
  type RecordedResource,
  type Records,
} from '@deploymgmt/provider/engine'
import { AddressError, UsageError } from '../errors/index.ts'
import type { Io } from '../io.ts'
import { lostWrite } from '../apply/ledger.ts'
import type { OpenIntent } from '../state/index.ts'
import type { CommonOptions } from './options.ts'
import { changeState } from './state-change.ts'

/** A person says what became of a write of unknown outcome. */
export const stateResolve = (
  io: Io,
  how: CommonOptions & { readonly created?: string; readonly notCreated?: boolean },
  address: string,
): Promise<number> => {
  if (how.created === undefined && how.notCreated !== true)
    throw new UsageError('give --created ID or --not-created')
  return changeState(io, how, 'state resolve', async (session) => {
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
}

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
  const write = lostWrite(intent)
  const { expected } = write
  if (definition === undefined || isNone(definition.establish.create) || intent.method !== 'POST')
    throw new AddressError(`${intent.address} was not being created: ${intent.method} ${intent.path}`, {
      hint: 'Use --not-created; the next plan sends it again if it is needed.',
    })
  const identity = { ...expected.identity, [definition.identity.key]: id }
  refuseWrongId(definition, identity, records)
  const resource: RecordedResource = {
    ...expected,
    identity,
    lastWrite: spanOfLost(write),
    watermark: write.at,
  }
  const { address } = intent
  return [...stepAside(definition, address, records[address]), { op: 'put', address, resource }]
}
