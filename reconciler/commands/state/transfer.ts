import { isDeepStrictEqual } from 'node:util'
import { entryOf, isReplaced, wholesOf } from '@deploymgmt/provider/engine'
import { normalizeBaseUrl } from '@deploymgmt/provider/api'
import {
  AddressError,
  StateMismatchError,
  StateMissingError,
  UnknownOutcomeError,
} from '../../errors/index.ts'
import type { Head } from '../../config/index.ts'
import type { Io } from '../../io.ts'
import {
  addressFrom,
  expectedAt,
  nothingAt,
  transferRecords,
  withBoth,
  type Both,
} from '../../state/index.ts'
import { shellWord } from '../../text/display.ts'
import { few } from '../../text/few.ts'
import { projectNamesKnown } from '../resolve/address.ts'
import { resolveState, shownState, type ResolvedState } from '../resolve/state.ts'
import { sameFlagsOf, type CommonOptions } from '../line/options.ts'
import { keyOfThing } from '../run/also-recorded.ts'
import { waitForFormerOwner } from '../run/former-owner.ts'
import { systemOf } from '../service/system.ts'
import { tell } from '../output/tell.ts'
import { told } from '../output/told.ts'
import { completing, headIfAny, recordAt, refuseWhileUnknown } from './change.ts'
import { addressesMeant, creationsLike, type Meant } from './meant.ts'
import { sayTransferred } from './transferred.ts'

interface TransferOptions extends CommonOptions {
  readonly from?: string
  readonly to: string
}

/** Moves records to the state of another manifest. Both states name their manifests; one of them may be given. */
export const stateTransfer = async (
  io: Io,
  options: TransferOptions,
  given: readonly string[],
): Promise<number> => {
  const head = await headIfAny(io, options)
  const { from, to } = await bothOf(io, options, head)
  return completing(io, async (signal) => {
    const { lockTimeout } = options
    const opening = { from, to, command: 'state transfer', lockTimeout, signal }
    const said = await withBoth(opening, systemOf(io), async (both) => {
      for (const { notices } of [both.from, both.to]) for (const notice of notices) await tell(io, notice)
      if (!both.to.exists) throw noneToGetThem(io, to)
      const records = await recordsMeant(io, options, both, { given, from, to })
      // The target knows nothing of the command whose lock was removed at the source.
      await waitForFormerOwner(io, both.from, signal)
      const addresses = records.map(({ address }) => address)
      await transferRecords(both, addresses)
      return sayTransferred(io, options, both, { records, head })
    })
    await told(io, options, said)
    return 0
  })
}

/** The places of both states, and the manifest and the service that each must belong to. */
const bothOf = async (io: Io, options: TransferOptions, head: Head | undefined) => {
  const { file, var: vars, varFile, local = false, allowHttp = false, state, from: named = state } = options
  const given = { file, var: vars, varFile, local, allowHttp }
  const source = await resolveState(io, { ...given, ...(named === undefined ? {} : { state: named }) }, head)
  const target = {
    ...source,
    statePath: addressFrom(options.to, io.cwd),
    sameFlags: sameFlagsOf({ file: [], var: [], varFile: [], state: options.to, allowHttp }),
    elsewhere: [],
  }
  const system = systemOf(io)
  const owner = await expectedAt(source, system)
  if (owner === undefined) throw nothingAt(shownState(io, source.statePath), source.sameFlags)
  const heir = await expectedAt(target, system)
  if (heir === undefined) throw noneToGetThem(io, target)
  const { baseUrl } = owner
  refuseOtherService(shownState(io, target.statePath), heir.baseUrl, baseUrl)
  const name = head === undefined || head.name === heir.name ? owner.name : head.name
  return {
    from: { ...source, expect: { name, baseUrl } },
    to: { ...target, expect: { name: heir.name, baseUrl: heir.baseUrl } },
  }
}

type Place = Pick<ResolvedState, 'statePath'>

const noneToGetThem = (io: Io, { statePath }: Place): StateMissingError => {
  const place = shownState(io, statePath)
  return new StateMissingError('there is no state to which the records could go', {
    where: place,
    hint: `Name the state of the manifest that gets them. If it has none yet, create it with that manifest: deploymgmt state init -f MANIFEST --state ${shellWord(place)}`,
  })
}

const refuseOtherService = (where: string, there: string, here: string): void => {
  const [recorded, expected] = [there, here].map((each) => normalizeBaseUrl(each))
  if (recorded === expected) return
  throw new StateMismatchError(
    `the state belongs to the service ${recorded}, and the records to the service ${expected}`,
    {
      where,
      hint: 'Name a state of the same service with --to. If both are addresses of one service, write the same `baseUrl` into both states.',
    },
  )
}

interface Asked {
  readonly given: readonly string[]
  readonly from: Pick<ResolvedState, 'sameFlags'>
  readonly to: Pick<ResolvedState, 'sameFlags'>
}

/** The records that go. @throws AddressError, UnknownOutcomeError if one of them cannot */
const recordsMeant = async (
  io: Io,
  options: TransferOptions,
  { from, to }: Both,
  { given, ...flags }: Asked,
): Promise<Meant[]> => {
  const { resources } = from.state
  const named = new Set(addressesMeant(given, from, await projectNamesKnown(io, options, from.state)))
  // What waits for its release belongs to the entry.
  const aside = Object.keys(resources).filter(
    (each) => isReplaced(each) && wholesOf(each).some((whole) => named.has(whole)),
  )
  const meant = [...new Set([...named, ...aside])]
  const refuse = (addresses: readonly string[]): void => {
    refuseWhileUnknown(from, { io, sameFlags: flags.from.sameFlags }, addresses)
    try {
      refuseWhileUnknown(to, { io, sameFlags: flags.to.sameFlags }, addresses)
    } catch (error) {
      if (!(error instanceof UnknownOutcomeError)) throw error
      throw error.hintingFirst(
        `It was sent with the manifest ${JSON.stringify(to.state.name)}: run these commands with that one.`,
      )
    }
  }
  refuse(meant)
  const records = meant.map((address) => ({ address, record: recordAt(resources, address) }))
  // At either side, such a thing could be the result of a lost creation.
  refuse([...creationsLike(records, from), ...creationsLike(records, to)])
  refuseOccupied(records, to, shownState(io, to.place))
  return records
}

/** @throws AddressError if the target has another record at one of the addresses, or one of these things elsewhere */
const refuseOccupied = (records: readonly Meant[], { state }: Both['to'], place: string): void => {
  const there = new Map(
    Object.entries(state.resources).flatMap(([address, record]) => {
      const key = keyOfThing(record)
      return key === undefined ? [] : [[key, address] as const]
    }),
  )
  const others: string[] = []
  const again: string[] = []
  for (const { address, record } of records) {
    const other = Object.hasOwn(state.resources, address) ? state.resources[address] : undefined
    const same = there.get(keyOfThing(record) ?? '')
    if (isDeepStrictEqual(other, record)) continue
    if (same !== undefined) again.push(same === address ? address : `${address} (there ${same})`)
    else if (other !== undefined) others.push(address)
  }
  if (again.length > 0)
    throw new AddressError(`the state there records the same already, in another way: ${few(again)}`, {
      where: place,
      hint: 'If the record there is the right one, drop the one here with deploymgmt state forget; otherwise drop that one with its own manifest, and run the command again.',
    })
  const [first] = others
  if (first !== undefined)
    throw new AddressError(`the state there records something else at ${few(others)}`, {
      where: place,
      hint: `Give one of the two another name first: deploymgmt state mv ${shellWord(entryOf(first))} NEW`,
    })
}
