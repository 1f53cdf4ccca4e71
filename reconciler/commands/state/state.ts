import { dirname } from 'node:path'
import { asSentence } from '@deploymgmt/provider/core'
import { kinds } from '@deploymgmt/provider/kinds'
import { DeploymgmtError } from '@deploymgmt/provider/errors'
import {
  belongsToOne,
  isToldByEvents,
  keyOf,
  oldestEvent,
  organizationsIn,
} from '@deploymgmt/provider/engine'
import { sayInstant } from '@deploymgmt/provider/words'
import {
  DEFAULT_MANIFEST,
  loadDeclaration,
  renderFindings,
  type LoadedDeclaration,
} from '../../config/index.ts'
import { canStillHappen } from '../../apply/intent-forms.ts'
import { LockMismatchError, ManifestError, ManifestNotFoundError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import type { StateRow } from '../../render/document/reports.ts'
import {
  expectedAt,
  initState,
  readSession,
  runningOwner,
  schemeOf,
  whereSilencesAre,
  unlockState,
} from '../../state/index.ts'
import { makeFolder } from '../service/local.ts'
import { flagsReading } from '../adopt/next.ts'
import { manifestsOf, sameFlagsOf, type CommonOptions } from '../line/options.ts'
import { unreadBelonging } from '../resolve/unread-warnings.ts'
import { projectNamesKnown, resolveRecordAddress } from '../resolve/address.ts'
import { reporter } from '../output/report.ts'
import { tell } from '../output/tell.ts'
import { noState, shownState, resolveState, type ResolvedState } from '../resolve/state.ts'
import { systemOf } from '../service/system.ts'
import { withClient } from '../service/with-client.ts'
import { busyWarnings } from '../run/unknown-outcomes.ts'
import { headIfAny } from './copy.ts'
import { completing, recordAt, refuseWhileUnknown, stateToOpen, told } from './change.ts'

/** To look at a state, its own name is as good as a manifest's; without a manifest nothing else is known. */
const stateShown = async (io: Io, options: CommonOptions) => {
  try {
    return await stateToOpen(io, options)
  } catch (error) {
    if (!(error instanceof ManifestNotFoundError)) throw error
    const { name: _, ...at } = await resolveState(io, options, undefined)
    const expect = await expectedAt(at, systemOf(io))
    if (expect === undefined) throw error
    return { ...at, expect }
  }
}

export const stateInit = async (io: Io, options: CommonOptions): Promise<number> => {
  const meant = await stateToOpen(io, options)
  if (options.local === true) await makeFolder(dirname(meant.statePath))
  const { lockTimeout } = options
  const { place, notices } = await completing(io, (signal) =>
    initState({ ...meant, command: 'state init', lockTimeout, signal }, systemOf(io)),
  )
  for (const notice of notices) await tell(io, notice)
  const written = `An empty state was written to ${shownState(io, place)}.`
  const loaded = await loadDeclaration({ ...manifestsOf(io, options), offline: true }, kinds).catch(ours)
  // The state does not depend on the rest of the manifest, but a plan does.
  if (loaded instanceof DeploymgmtError) {
    if (loaded instanceof ManifestError) await tell(io, renderFindings(loaded.findings))
    const next = `Next: correct that, then deploymgmt plan${sameFlagsOf(options)}`
    await told(io, options, `${written} ${asSentence(loaded.message)} ${next}`)
    return 0
  }
  await told(io, options, [
    `${written} Next: deploymgmt plan${await flagsForAll(io, options, loaded)}`,
    ...(options.local === true ? [] : await reachOfEvents(io, options, loaded)),
  ])
  return 0
}

const ours = (error: unknown): DeploymgmtError => {
  if (error instanceof DeploymgmtError) return error
  throw error
}

/** The flags that read the named manifests, and those of the folder that belong to them. */
const flagsForAll = async (io: Io, options: CommonOptions, loaded: LoadedDeclaration): Promise<string> => {
  try {
    const unread = await unreadBelonging(io, loaded)
    if (unread.length === 0) return sameFlagsOf(options)
    const named = options.file.length === 0 ? [DEFAULT_MANIFEST] : options.file
    return await flagsReading(io, { ...options, file: [...named, ...unread] }, unread)
  } catch (error) {
    if (!(error instanceof DeploymgmtError)) throw error
    return sameFlagsOf(options)
  }
}

/** Things from before the loss of a state are found only by events. */
const reachOfEvents = async (
  io: Io,
  options: CommonOptions,
  { declaration }: LoadedDeclaration,
): Promise<string[]> => {
  try {
    return await withClient(io, options, (client) =>
      Promise.all(
        organizationsIn(declaration).map(async (org) => sayReach(org, await oldestEvent(client, org))),
      ),
    ).then((said) => said.flat())
  } catch (error) {
    if (!(error instanceof DeploymgmtError)) throw error
    return [`Could not find out how far back events go: ${error.code}: ${error.message}.`]
  }
}

/** Nothing where no event tells of anything that was made. */
const sayReach = (org: string, oldest: string | undefined): string[] =>
  oldest === undefined ? [] : [`Events of organization ${org} go back to ${sayInstant(oldest)}.${TO_DECLARE}`]

/** Things that no list shows are not found once their events have expired. */
const TO_DECLARE = kinds
  .filter(isToldByEvents)
  .map(
    ({ title, identity }) =>
      ` A ${title.toLowerCase()} that this key created before that cannot be found: declare it by its ${identity.declaredAs}, or it is created a second time.`,
  )
  .join('')

export const stateList = async (io: Io, options: CommonOptions): Promise<number> => {
  const report = await reporter(io, options, 'records')
  const session = await readSession(await stateShown(io, options), systemOf(io))
  for (const notice of [...session.notices, ...busyWarnings(session), ...missingNotice(io, session)])
    await tell(io, notice)
  const names = new Map(await projectNamesKnown(io, options, session.state))
  const unknown = new Map(session.unknown.map((intent) => [intent.address, intent]))
  const recorded = Object.entries(session.state.resources).map(([address, record]): StateRow => ({
    address,
    kind: record.kind,
    id: keyOf(kinds, record) ?? null,
    status: unknown.has(address) ? 'unknown' : 'recorded',
  }))
  const open = [...unknown.values()]
    .filter(({ address }) => session.state.resources[address] === undefined)
    .map(({ address, kind }): StateRow => ({ address, kind, id: null, status: 'unknown' }))
  const rows = [...recorded, ...open].toSorted((a, b) => (a.address < b.address ? -1 : 1))
  const lines = rows.map((row) => {
    const intent = unknown.get(row.address)
    const { identity } = session.state.resources[row.address] ?? intent?.detail.expected ?? {}
    return {
      ...row,
      projectId: identity?.['projectId'],
      wasCreation: intent?.method === 'POST',
      isUnderWay: intent !== undefined && session.busy !== undefined,
      until: intent && canStillHappen(intent, io.now()),
    }
  })
  await report({ document: rows, lines }, { names })
  return 0
}

/** There may be no records because another place was meant. */
const missingNotice = (io: Io, session: Parameters<typeof noState>[1]): string[] =>
  [noState(io, session)].flatMap((missing) => (missing === undefined ? [] : [asSentence(missing)]))

export const stateShow = async (io: Io, options: CommonOptions, given: string): Promise<number> => {
  const report = await reporter(io, options, 'record')
  const session = await readSession(await stateShown(io, options), systemOf(io))
  for (const notice of [...session.notices, ...busyWarnings(session), ...missingNotice(io, session)])
    await tell(io, notice)
  const { resources } = session.state
  const names = await projectNamesKnown(io, options, session.state)
  const address = resolveRecordAddress(given, { records: resources, names })
  const isOfEntry = belongsToOne([address])
  // A request that is just being sent has no record yet, and needs no decision.
  if (!Object.hasOwn(resources, address) && session.busy === undefined)
    refuseWhileUnknown(session, { io, options }, [address])
  const instances = Object.entries(resources)
    .filter(([each]) => each !== address && isOfEntry(each))
    .map(([each, record]) => ({ address: each, ...record }))
  const own = instances.length === 0 ? recordAt(resources, address) : resources[address]
  const others = instances.length === 0 ? {} : { instances }
  // What the manifest says comes last, and counts.
  await report({ document: { address, ...own, ...others } }, { names: new Map(names) })
  return 0
}

export const stateUnlock = async (
  io: Io,
  options: CommonOptions & { readonly ownerEnded?: boolean },
  id: string,
): Promise<number> => {
  const { ownerEnded = false } = options
  const head = await headIfAny(io, options)
  const where = await resolveState(io, options, head)
  const running = await unlockHereOrBeside(io, where, { id, ownerEnded })
  await told(io, options, ownerEnded ? 'The lock was removed.' : goneFrom(where, running))
  return 0
}

/**
 * A person who is stopped by a lock knows only its id: it can be the lock of the silences, which are recorded beside
 * the state.
 */
const unlockHereOrBeside = async (
  io: Io,
  where: ResolvedState,
  { id, ownerEnded }: { readonly id: string; readonly ownerEnded: boolean },
): Promise<string | undefined> => {
  const system = systemOf(io)
  const removeAt = async (place: ResolvedState): Promise<string | undefined> => {
    const running = await runningOwner(place, { id, ownerEnded }, system)
    await unlockState(place, { id, ownerEnded }, system)
    return running
  }
  try {
    return await removeAt(where)
  } catch (error) {
    if (!(error instanceof LockMismatchError)) throw error
    return await removeAt(whereSilencesAre(where)).catch((other: unknown) => {
      // If neither has the lock, the error is about the state itself.
      throw other instanceof LockMismatchError ? error : other
    })
  }
}

const goneFrom = ({ statePath }: ResolvedState, running: string | undefined): string =>
  [
    running === undefined
      ? 'The lock was removed. Make sure that the command that held it has ended.'
      : `The lock was removed. But ${running} is still running on this machine: it records nothing more, and sends nothing once half a minute has passed.`,
    ...(schemeOf(statePath) === undefined
      ? []
      : ['The next apply waits up to 90 s; from 150 s from now on, none waits.']),
  ].join(' ')
