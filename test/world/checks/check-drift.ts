import { expect } from 'vitest'
import type { Act } from '../known/acts.ts'
import { checkAccepted, checkLate } from './check-accepted.ts'
import { idAt } from './check-apply.ts'
import { CONFIGS, LEDGER, namedIn, PROJECT, TYPES } from '../fixture.ts'
import { CLOSE_MS, foreignTo, isLivedTwice, lastToSet, type Oracle } from '../known/oracle.ts'
import { checkEditedWindow, isConfigEdited } from './check-pending.ts'
import { isMore, wordsOf, type Counting } from './counting.ts'
import { checkOrder } from './check-order.ts'
import { checkDriftFaces } from './check-faces.ts'
import { besides, facesIn } from './faces.ts'
import { checkUnmanaged } from './check-unmanaged.ts'
import { count } from '../tally.ts'
import { lostIn, recordsOf, truthOf, unknownIn, type World } from '../world.ts'

/** Checks a drift report against what is really there, and against who really changed it. */
export const checkDrift = async (world: World, oracle: Oracle, counting: Counting = {}): Promise<void> => {
  const words = [...besides('drift'), ...wordsOf(counting)]
  const { code, document, said, number } = await world.json(['drift', ...words])
  expect(world.actsOf(number)).toEqual([])
  const unknown = await unknownIn(world)
  // What no evidence settles is left out of the report, which says so by its exit code.
  if (oracle.isUncertain && code === 3) return expect([...unknown]).not.toEqual([])
  const isLate = document?.resources?.some((each: any) => each.isLate === true) === true
  const differs = document?.summary?.drifted > 0 || isLate || document?.toBeSettled?.length > 0
  const isCounted = unknown.size === 0 && (await isMore(world, oracle, counting))
  expect({ code, said }).toMatchObject({ code: differs || isCounted ? 2 : 0 })
  await checkToBeSettled(world, document)
  expect(document.summary.drifted).toBe(document.resources.filter(isDrifted).length)
  const records = await recordsOf(world)
  // The report cannot know of events that became readable after it read them.
  const seen = { service: world.service, now: world.service.looks.get(number)?.[0] ?? world.now }
  if (counting.unmanaged === 'off') expect(document).not.toHaveProperty('unmanaged')
  else await checkUnmanaged(world, oracle, document, seen.now)
  const faces = await facesIn(world, 'drift')
  checkOrder({ world, oracle, records, seen }, document, faces)
  checkDriftFaces(document, faces, { isCounted, isNewsCounted: counting.unmanaged === 'fail' })
  const isSure = ({ address }: any): boolean => !unknown.has(address)
  checkLate(world, oracle, document, counting.hours)
  if (unknown.size === 0) checkAccepted(world, oracle, document, { records, seen })
  // What is accepted in part is in both lists.
  const all = new Map<string, any>(
    [...document.resources, ...(document.accepted ?? [])].map((each: any) => [each.address, each]),
  )
  const judged = [...all.values()].filter(({ address }: any) => records[address] !== undefined)
  // A rule in force cannot drift. Once its entry is taken out, the report says that the rule is still to end.
  const isTakenOut = oracle.declared.listed === undefined
  const kept = Object.keys(records).filter((address) => records[address].standing !== true || isTakenOut)
  if (unknown.size === 0)
    expect(judged.map(({ address }: any): string => address).toSorted()).toEqual(kept.toSorted())
  const ignored = new Set((document.ignored ?? []).map(({ address }: any) => address))
  for (const resource of judged.filter(isSure))
    judge({
      isIgnored: ignored.has(resource.address),
      resource,
      record: records[resource.address],
      records,
      seen,
      world,
      oracle,
    })
  if (unknown.size === 0) checkListed({ world, oracle, records }, document)
  for (const resource of document.resources.filter((each: any) => !isSure(each)))
    // What a lost creation made is not recorded yet, while another thing may be recorded at its address.
    judgeOpen(
      world,
      resource,
      idAt({ [resource.address]: resource }, resource.address) || idAt(records, resource.address),
    )
}

/**
 * What a list does not allow has drifted if somebody has added it since it was deleted. What was there before is still
 * to be deleted.
 */
const checkListed = (
  { world, oracle, records }: Pick<Judged, 'world' | 'oracle' | 'records'>,
  { resources }: any,
): void => {
  const { applied, standing, leftover } = records['integrations.listed'] ?? {}
  for (const { address, verdict } of resources) {
    const type = /^integrations\.listed\[(?<type>.*)\]$/.exec(address)?.groups?.['type']
    if (type === undefined) continue
    count(`drift of what a list does not allow: ${verdict}`)
    const added = world.service.added.filter((each) => each.projectId === LEDGER && each.type === type)
    if (added.length === 0) expect({ address, verdict }).toEqual({ address, verdict: 'pending' })
    const isForbidden = standing === true && applied.only?.includes(type) === false && leftover === undefined
    const isSince = oracle.setBack === undefined && added.some(({ at }) => at > oracle.beganAt)
    if (isForbidden && isSince) expect({ address, verdict }).toEqual({ address, verdict: 'drifted' })
  }
}

/**
 * A request that may still take effect, or whose effect is not fully known, is named as to be settled, and the report
 * is not in sync.
 */
const checkToBeSettled = async (
  world: World,
  { toBeSettled, resources, inSync, warnings }: any,
): Promise<void> => {
  const named = new Set(toBeSettled.map(({ address }: any) => address))
  const lost = await lostIn(world)
  const records = await recordsOf(world)
  count(`drift: ${toBeSettled.length > 0 ? 'requests to be settled' : 'nothing to settle'}`)
  if (toBeSettled.length > 0) expect(inSync).toBe(false)
  expect(toBeSettled.filter(({ address }: any) => !lost.some((each) => each.address === address))).toEqual([])
  if (warnings.some((warning: string) => warning.startsWith('another command is writing'))) return
  // A lost creation counts only if it is a window that the report shows as not verifiable, because only its id is
  // known. Events tell all about a user's creation.
  const isShown = (address: string): boolean =>
    resources.some((each: any) => each.address === address && each.verdict === 'unverifiable')
  const isMeant = ({ address, method }: any): boolean =>
    method !== 'POST' ||
    (address.startsWith('maintenanceWindows.') && records[address] === undefined && isShown(address))
  expect(lost.filter((each) => isMeant(each) && !named.has(each.address))).toEqual([])
}

/** What a lost answer leaves open is shown as it is expected to end; only what can be read may be in sync. */
const judgeOpen = (world: World, { address, verdict, actor }: any, id: string): void => {
  count(`drift of what is unknown: ${verdict}`)
  const isReadable = /^(alertConfigurations|integrations)\./.test(address)
  if (!isReadable) expect({ address, verdict }).not.toEqual({ address, verdict: 'in-sync' })
  if (actor === undefined) return
  // Our own write of unknown outcome may have changed it, so anybody who wrote to it may be named.
  expectNamed(
    actor,
    world.service.acts.filter((act) => act.id === id),
  )
}

interface Judged {
  readonly resource: any
  /** Whether the report names differences that its entry leaves to others. */
  readonly isIgnored: boolean
  readonly record: any
  readonly records: any
  /** The service, and the time when the report read events. */
  readonly seen: Pick<World, 'service' | 'now'>
  readonly world: World
  readonly oracle: Oracle
}

const isDrifted = ({ verdict }: any): boolean => verdict === 'drifted'

const judge = (judged: Judged): void => {
  const { address, verdict, actor } = judged.resource
  const by = actor === undefined ? '' : ', with an actor'
  count(`drift ${address.split('.')[0]}: ${verdict}${by}`)
  if (address.startsWith('alertConfigurations.')) judgeConfig(judged)
  else if (address.startsWith('integrations.')) judgeIntegration(judged)
  else judgeUnreadable(judged)
}

const judgeConfig = (judged: Judged): void => {
  const { resource, record, seen, world, oracle } = judged
  const { address, verdict, actor, what } = resource
  const id = record.identity.alertConfigId
  checkWhat(address, verdict, { what, id })
  // By its address, or by the entry that declares it now.
  const isIgnored = Object.entries(oracle.declared.configs).some(
    ([name, each]) =>
      each?.isIgnored === true && (address === `alertConfigurations.${name}` || CONFIGS[each.index] === id),
  )
  const live = truthOf(world).configs.get(id)
  // What a request of ours with a lost answer has set is our own, unless somebody else has set it since.
  const isOfLost =
    record.unsure?.includes('enabled') === true && lastToSet(world.service.acts, id)?.by === 'run'
  const applied = isOfLost ? { ...record.applied, enabled: live } : record.applied
  const isSame = isIgnored || live === applied.enabled
  // An edited entry makes it pending. If it is declared at another address, or not at all, both verdicts are right.
  const isEdited = isConfigEdited(oracle, address, { ...record, applied }) ?? verdict === 'pending'
  const peace = isEdited ? 'pending' : 'in-sync'
  expect({ address, verdict }).toEqual({ address, verdict: isSame ? peace : 'drifted' })
  // What is left to others is no drift, and does not disappear from sight.
  if (verdict === 'in-sync')
    expect({ address, isNamed: judged.isIgnored }).toEqual({ address, isNamed: live !== applied.enabled })
  if (isSame) return
  const { acts } = world.service
  const cause = lastToSet(acts, id)
  const isNobody = cause === undefined || cause.by === 'run'
  if (isNobody) return expect({ address, actor }).toEqual({ address })
  const { since, evident } = foreignTo(seen, oracle, id)
  // If the event of an opposite act before it is lost, an earlier one seems to have set the value already.
  const isFirstTold = since.slice(0, since.indexOf(cause)).every((act) => evident.includes(act))
  // Until an event names our key, it may be a person's own key: then an earlier write of ours would name a person, too.
  const isOfSomeRun = cause.by === 'sam' && isLivedTwice(oracle, [cause.at])
  // A request of ours that never arrived has an unknown outcome, so an event of our key from that time on may be its
  // own.
  const isClose = wholeSecond(cause.at) >= wholeSecond(oracle.beganAt) - CLOSE_MS
  const isOfLostRequest = cause.by === 'twin' && oracle.isUncertain && isClose
  const mayBeOwn = isOfSomeRun || isOfLostRequest
  // If this machine's clock is ahead, service time is only known to the second, so this may count as before the
  // adoption.
  const mayBeBefore = world.ahead > 0 && cause.at < Date.parse(record.watermark)
  const isNamed = world.settings['open.eventNames'] !== 'foreign'
  const isTold = evident.includes(cause) && isFirstTold && !mayBeOwn && !mayBeBefore && isNamed
  if (isTold) return expect({ address, actor }).toMatchObject({ address, actor: namedIn(cause) })
  // Without its event, an earlier act with the same effect can be taken for it.
  if (actor === undefined) return
  const alike = acts.filter((act) => act.id === id && act.after.enabled === cause.after.enabled)
  expectNamed(actor, alike)
}

/** If a configuration is not in sync, the report says in `what` of which type it is. */
const checkWhat = (
  address: string,
  verdict: string,
  { what, id }: { readonly what: string | undefined; readonly id: (typeof CONFIGS)[number] },
): void => {
  // The selector of its entry may have said it.
  const mayBeSilent = address.startsWith('alertConfigurations.all[')
  const isCalled = verdict !== 'in-sync' && !(mayBeSilent && what === undefined)
  count(`drift: a configuration is ${isCalled ? '' : 'not '}called by its type`)
  expect({ address, verdict, what }).toEqual({
    address,
    verdict,
    what: isCalled ? TYPES[CONFIGS.indexOf(id)] : undefined,
  })
}

/** Events, and the times noted for requests, are precise to the second only. */
const wholeSecond = (at: number): number => Math.floor(at / 1000) * 1000

const judgeIntegration = ({ resource, record, world, oracle }: Judged): void => {
  const { address, verdict } = resource
  if (record.standing === true) return expect({ address, verdict }).toEqual({ address, verdict: 'pending' })
  if (address !== 'integrations.chat') return
  const isThere = truthOf(world).integrations.get(PROJECT)?.includes('CHAT_A') === true
  const isSame = isThere === (record.absent !== true)
  const isEdited = oracle.declared.chat !== (record.absent === true ? 'absent' : 'present')
  const peace = isEdited ? 'pending' : 'in-sync'
  expect({ address, verdict }).toEqual({ address, verdict: isSame ? peace : 'drifted' })
}

/** What no endpoint shows is never in sync, and it is drifted only if somebody else has really changed it. */
const judgeUnreadable = ({ resource, record, records, seen, world, oracle }: Judged): void => {
  const { address, verdict, actor } = resource
  const id = idAt(records, address)
  const { since, evident, unclear } = foreignTo(seen, oracle, id)
  const possible = [...since, ...unclear]
  // What no event tells may be known from the answer to a later write of ours.
  const isShown =
    Object.keys(record.leftover ?? {}).length > 0 ||
    Object.keys(record.overridden ?? {}).some((name) => wasGivenByOthers(world, id, name))
  // If the outcome of the last writes is unknown, they may have overwritten what the apply knew of.
  const told = record.unsure === undefined ? evident : evident.filter(({ at }) => at > oracle.beganAt)
  checkEditedWindow(world, oracle, resource, record)
  // In a time that was lived twice, nothing tells that what our earlier key wrote came before our last write.
  const ofEarlierKey = (each: Act): boolean =>
    oracle.setBack !== undefined && each.id === id && each.key !== world.keys.run.publicKey
  const blamed = [...possible, ...world.service.acts.filter(ofEarlierKey)]
  const calm = ['unverifiable', 'pending']
  const allowed = [
    ...(told.length > 0 || isShown ? [] : calm),
    ...(isToldOver(world, resource, record) ? calm : []),
    ...(blamed.length > 0 || isShown ? ['drifted'] : []),
  ]
  if (!allowed.includes(verdict)) expect({ ...resource, acts: possible, record }).toEqual(allowed)
  const named = [actor, ...resource.fields.map((field: any) => field.actor)]
  for (const each of named.filter((one) => one !== undefined)) expectNamed(each, blamed)
}

/**
 * A later write of ours was refused because the window is over, or the newest event tells its end: then its end is
 * known, whoever ended it, also if its entry has been edited since.
 */
const isToldOver = (world: World, { reasonCode }: any, { acknowledged, identity }: any): boolean => {
  const live = truthOf(world).windows.get(identity.id)
  const isOver = live !== undefined && Date.parse(live.endDate) <= world.now
  // Without their raw documents, events tell no end.
  const tellsEnds = world.settings['open.rawDocument'] !== 'empty'
  return CALM_REASONS.has(reasonCode) && (acknowledged !== undefined || tellsEnds) && isOver
}

const CALM_REASONS: ReadonlySet<string> = new Set(['ended-by-itself', 'declared-differs'])

const wasGivenByOthers = ({ service }: World, id: string, name: string): boolean =>
  service.acts.some((act) => act.id === id && act.by !== 'run' && name in Object(act.body))

const expectNamed = (actor: any, acts: readonly Act[]): void => {
  const { publicKey, username } = actor
  const who = publicKey === undefined ? { username } : { publicKey }
  expect(acts.map(namedIn)).toContainEqual(expect.objectContaining(who))
}
