import { expect } from 'vitest'
import type { Act } from '../known/acts.ts'
import { idAt } from './check-apply.ts'
import { escaped, type Faces } from './faces.ts'
import { REPORTER } from '../fixture.ts'
import { foreignTo, type Oracle } from '../known/oracle.ts'
import { count } from '../tally.ts'
import { truthOf, type World } from '../world.ts'

/** How serious a finding really is: the lower, the more serious. */
const GRAVE = { silence: 0, owner: 1, off: 2, 'silence to come': 3, gone: 4, window: 5, rest: 6 } as const
type Gravity = keyof typeof GRAVE

interface Facts {
  readonly world: World
  readonly oracle: Oracle
  readonly records: any
  /** The service, and the time when the report read events. */
  readonly seen: Pick<World, 'service' | 'now'>
}

/** The text and SARIF have the worst findings first, as far as it is certain how serious they are. */
export const checkOrder = (facts: Facts, document: any, { sarif, text }: Faces): void => {
  const drifted = document.resources.filter(({ verdict }: any) => verdict === 'drifted')
  for (const each of drifted) checkMarks(facts, each)
  const news = (document.unmanaged ?? []).filter(({ ignored }: any) => ignored === undefined)
  checkSarif(facts, { drifted, news }, sarif)
  const places = drifted
    // A renamed one may be found in the text by its new name.
    .filter(({ movedTo }: any) => movedTo === undefined)
    .flatMap((each: any) => placesOf(facts, each, text))
    .toSorted((a: Placed, b: Placed) => a.at - b.at)
  expectWorstFirst(places, 'text')
}

interface Placed {
  readonly name: string
  readonly gravity: Gravity | undefined
  readonly at: number
}

const placesOf = (facts: Facts, drift: any, text: string): Placed[] => {
  const at = text.search(new RegExp(`${escaped(drift.address)}(?![\\w\\[.-])`))
  return at === -1 ? [] : [{ name: drift.address, gravity: gravityOf(facts, drift), at }]
}

interface Found {
  readonly drifted: readonly any[]
  readonly news: readonly any[]
}

/** A result is named by its address. What nobody declares is named by its section and its shortened ids. */
const checkSarif = (facts: Facts, { drifted, news }: Found, text: string): void => {
  const results = JSON.parse(text).runs[0].results.filter(
    ({ suppressions }: any) => suppressions === undefined,
  )
  const byAddress = new Map(drifted.map((each) => [each.address, each]))
  const bySection = Map.groupBy(news, ({ section }) => section)
  const left = new Map(
    [...bySection].map(([section, of]) => [section, inOrder(of.map((each) => strange(facts, each)))]),
  )
  const order = results.flatMap(({ locations, ruleId }: any, at: number): Placed[] => {
    const name: string = locations[0].logicalLocations[0].fullyQualifiedName
    const drift = byAddress.get(name)
    if (ruleId === 'unmanaged') return [{ name, gravity: left.get(name.split(' ')[0])?.shift(), at }]
    return drift === undefined || ruleId === 'to-be-settled' || ruleId === 'pending-late'
      ? []
      : [{ name, gravity: gravityOf(facts, drift), at }]
  })
  expectWorstFirst(order, 'SARIF')
}

/** Names do not distinguish the things of one section. They are expected in order, unless one of them is uncertain. */
const inOrder = (gravities: readonly (Gravity | undefined)[]): (Gravity | undefined)[] =>
  gravities.includes(undefined)
    ? gravities.map(() => undefined)
    : gravities.toSorted((a, b) => GRAVE[a ?? 'rest'] - GRAVE[b ?? 'rest'])

const expectWorstFirst = (places: readonly Placed[], where: string): void => {
  const sure = places.flatMap(({ name, gravity }) => (gravity === undefined ? [] : [{ name, gravity }]))
  const kinds = new Set(sure.map(({ gravity }) => gravity))
  if (kinds.size > 1) count(`order in ${where}: ${[...kinds].toSorted().join(', ')}`)
  const found = sure.map(({ name, gravity }) => `${gravity}: ${name}`)
  const meant = sure.toSorted((a, b) => GRAVE[a.gravity] - GRAVE[b.gravity])
  expect({ where, found }).toEqual({ where, found: meant.map(({ name, gravity }) => `${gravity}: ${name}`) })
}

/** How serious a drift is; undefined if events have not told it for certain. */
const gravityOf = (facts: Facts, drift: any): Gravity | undefined => {
  const [section] = drift.address.split('.', 1)
  // It is shown in two parts.
  if (drift.acceptanceEnded !== undefined && drift.fields.length > 1) return undefined
  if (section === 'alertConfigurations')
    return truthOf(facts.world).configs.get(drift.identity.alertConfigId) === true ? 'rest' : 'off'
  if (section === 'integrations')
    return drift.fields.length === 0 && isChatGone(facts, drift) ? 'gone' : 'rest'
  if (section === 'maintenanceWindows') return 'window'
  const owns = ownsBy(facts, idAt(facts.records, drift.address), drift)
  return owns === undefined ? undefined : owns ? 'owner' : 'rest'
}

/** What a rule in force does not list is there, and nothing records it: an apply that was to delete it was cut off. */
const isChatGone = ({ world }: Facts, { identity }: any): boolean =>
  identity !== undefined &&
  truthOf(world).integrations.get(identity.projectId)?.includes(identity.type) === false

const isOwner = (thing: any): boolean =>
  [...(thing?.roles ?? []), ...(thing?.invitations ?? [])].some(
    ({ roleName }: any) => roleName === 'ORG_OWNER',
  )

const concernsOwners = ({ before, after }: Act): boolean => isOwner(before) !== isOwner(after)

/** Whether events tell all that this service can tell, in the right order. */
const isPlain = ({ world, oracle }: Facts): boolean =>
  Object.keys(world.settings).length === 0 && oracle.setBack === undefined

/** Whether somebody has really become an owner, which the latest event tells; undefined if that is uncertain. */
const ownsBy = (facts: Facts, id: string, { fields }: any): boolean | undefined => {
  const { world, oracle, seen } = facts
  const about = world.service.acts.filter((act) => act.id === id)
  if (!about.some(concernsOwners)) return false
  const last = about.at(-1)
  const isTold = last !== undefined && foreignTo(seen, oracle, id).evident.includes(last)
  const isOfRoles = fields.some(({ path }: any) => path === 'roles')
  return isPlain(facts) && isTold && isOfRoles && concernsOwners(last) && isOwner(last.after)
    ? true
    : undefined
}

/** The same for what nobody declares. */
const strange = (facts: Facts, { section, identity }: any): Gravity | undefined => {
  if (section === 'maintenanceWindows') return silenceOf(facts, identity.id)
  const { service } = facts.world
  const isMeant = ({ kind, id, after }: Act): boolean =>
    section === 'users'
      ? kind === 'user' && after?.username === identity.username
      : section === 'apiKeys' && kind === 'apiKey' && id === REPORTER
  const about = service.acts.filter(isMeant)
  if (!about.some(concernsOwners)) return 'rest'
  const last = about.at(-1)
  const isTold = about.every(({ seenFrom }) => seenFrom <= facts.seen.now)
  return isTold && isPlain(facts) && last !== undefined && concernsOwners(last) && isOwner(last.after)
    ? 'owner'
    : undefined
}

/** This close to its start or its end, it is not certain whether a window silences. */
const MARGIN_MS = 60_000

/** Whether a window silences alerts now or later; known if only its creation has set its dates. */
const silenceOf = ({ world: { service }, seen: { now } }: Facts, id: string): Gravity | undefined => {
  const [made, ...later] = service.acts.filter((act) => act.id === id)
  if (made?.before !== undefined || made?.after === undefined || later.length > 0) return undefined
  const [start, end] = [Date.parse(made.after.startDate), Date.parse(made.after.endDate)]
  if (now < start - MARGIN_MS) return 'silence to come'
  return now > start + MARGIN_MS && now < end - MARGIN_MS ? 'silence' : undefined
}

/** Checks that the marks of a drift are true. */
const checkMarks = (facts: Facts, drift: any): void => {
  const { address, fields, owns, turnsOff } = drift
  const gravity = gravityOf(facts, drift)
  expect({ address, turnsOff }).toEqual({ address, turnsOff: gravity === 'off' ? true : undefined })
  if (gravity === undefined) return
  count(`drift is ${gravity}`)
  expect({ address, owns }).toEqual({ address, owns: gravity === 'owner' ? true : undefined })
  // Its worst field comes first.
  if (gravity === 'owner') expect({ address, path: fields[0].path }).toEqual({ address, path: 'roles' })
}
