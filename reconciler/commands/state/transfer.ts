import { isDeepStrictEqual } from 'node:util'
import { ownValue } from '@deploymgmt/provider/core'
import { entryOf, identityKeyOf, isReplaced, wholesOf } from '@deploymgmt/provider/engine'
import { normalizeBaseUrl } from '@deploymgmt/provider/api'
import { DeploymgmtError } from '@deploymgmt/provider/errors'
import { kinds } from '@deploymgmt/provider/kinds'
import {
  AddressError,
  StateAddressError,
  StateMismatchError,
  StateMissingError,
  UnknownOutcomeError,
} from '../../errors/index.ts'
import type { Head } from '../../config/index.ts'
import type { Io } from '../../io.ts'
import {
  addressFrom,
  dropGiven,
  expectedAt,
  giveRecords,
  nothingAt,
  waitForFormerOwner,
  withBoth,
  type Both,
  type Session,
  type StateFile,
} from '../../state/index.ts'
import { shellWord } from '../../text/display.ts'
import { few } from '../../text/few.ts'
import { projectNamesKnown, type ProjectNames } from '../resolve/address.ts'
import { resolveState, shownState, type ResolvedState } from '../resolve/state.ts'
import { sameFlagsOf, type CommonOptions } from '../line/options.ts'
import { systemOf } from '../service/system.ts'
import { tell } from '../output/tell.ts'
import { reportDone } from '../output/report-done.ts'
import { completing, headIfAny } from './change.ts'
import { addressesMeant, creationsLike, addressesFound, type Meant } from './meant.ts'
import { recordAt } from './record-at.ts'
import { refuseWhileUnknown } from './refuse-while-unknown.ts'
import { refusePartOfSchedule } from './schedule.ts'
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
    // Kept here, because a session that cannot be saved fails with an error of its own when it is closed.
    let inBoth: 'may be' | 'are' | undefined
    const said = await withBoth(opening, systemOf(io), async (both) => {
      for (const { notices } of [both.from, both.to]) for (const notice of notices) await tell(io, notice)
      if (!both.to.exists) throw noneToGetThem(io, to)
      const { go, wentBefore } = await recordsMeant(io, options, both, { given, from, to })
      // The target knows nothing of the command whose lock was removed at the source.
      await waitForFormerOwner(
        both.from.unlocked,
        { signal, undone: 'nothing was transferred' },
        systemOf(io),
      )
      const addresses = go.map(({ address }) => address)
      if (addresses.length > 0) {
        inBoth = 'may be'
        await giveRecords(both, addresses)
        inBoth = 'are'
        await dropGiven(both, addresses)
        inBoth = undefined
      }
      await both.from.commit()
      return sayTransferred(io, options, both, {
        go,
        wentBefore,
        head,
        places: [from.statePath, to.statePath],
      })
    }).catch((error: unknown) => {
      throw inBoth === undefined ? error : sayingInBoth(error, inBoth)
    })
    await reportDone(io, options, said)
    return 0
  })
}

/** Neither state looks as if anything were wrong. */
const sayingInBoth = (error: unknown, are: 'may be' | 'are'): unknown =>
  error instanceof DeploymgmtError
    ? error.hintingFirst(
        `The records ${are} in both states now: apply neither of the two manifests before the same command has finished.`,
      )
    : error

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
  refuseSame(shownState(io, target.statePath), owner, heir)
  const { baseUrl } = owner
  refuseOtherService(shownState(io, target.statePath), heir.baseUrl, baseUrl)
  // A manifest that is given may own either state. If it does not own the second, it has to own the first.
  const name = head === undefined || head.name === heir.name ? owner.name : head.name
  return {
    from: { ...source, expect: { name, baseUrl } },
    to: { ...target, expect: { name: heir.name, baseUrl: heir.baseUrl } },
  }
}

/** One place can have several addresses, and a copy records the same things without owning them. */
const refuseSame = (where: string, owner: Owner, heir: Owner): void => {
  if (owner.lineage !== heir.lineage || owner.name !== heir.name) return
  throw new StateAddressError('both are the same state, or one is a copy of the other', {
    where,
    hint: 'Name the state of another manifest with --to: in git by its branch and in Postgres by its name, as in `git:origin#deploymgmt/NAME`.',
  })
}

type Owner = Pick<StateFile, 'name' | 'lineage'>
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

/** What arguments mean. */
interface MeantHere {
  readonly go: Meant[]
  /** What only the other state records: a command that was killed before its end can have done that. */
  readonly wentBefore: Meant[]
}

/** @throws AddressError, UnknownOutcomeError if one of the records cannot go */
const recordsMeant = async (
  io: Io,
  options: TransferOptions,
  { from, to }: Both,
  { given, ...flags }: Asked,
): Promise<MeantHere> => {
  const { resources } = from.state
  const names = await projectNamesKnown(io, options, from.state)
  const before = new Map(
    given.flatMap((each) => {
      const found = addressesFound(each, from, names).length === 0 ? recordsBy(each, to, names) : []
      return found.length === 0 ? [] : [[each, found] as const]
    }),
  )
  const rest = given.filter((each) => !before.has(each))
  const named = new Set(addressesMeant(rest, from, names))
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
  refusePartOfSchedule(records, resources)
  refuseOccupied(records, to, shownState(io, to.place))
  return { go: records, wentBefore: [...before.values()].flat() }
}

/** The records of a state that an argument means; can be none. */
const recordsBy = (given: string, session: Session, names: ProjectNames): Meant[] => {
  const { resources, projects = {} } = session.state
  return addressesFound(given, session, [...Object.entries(projects), ...names]).flatMap((address) => {
    const record = ownValue(resources, address)
    return record === undefined ? [] : [{ address, record }]
  })
}

/** @throws AddressError if the target has another record at one of the addresses, or one of these things elsewhere */
const refuseOccupied = (records: readonly Meant[], { state }: Both['to'], place: string): void => {
  const there = new Map(
    Object.entries(state.resources).flatMap(([address, record]) => {
      const key = identityKeyOf(kinds, record)
      return key === undefined ? [] : [[key, address] as const]
    }),
  )
  const others: string[] = []
  const again: string[] = []
  for (const { address, record } of records) {
    const other = ownValue(state.resources, address)
    const same = there.get(identityKeyOf(kinds, record) ?? '')
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
