import { expect } from 'vitest'
import type { Act } from '../known/acts.ts'
import { PROJECTS, selectedBy } from '../known/declared.ts'
import { BYSTANDER, CALLER, CI, CONFIGS, LEDGER, namedIn, PROJECT, REPORTER } from '../fixture.ts'
import { recordsBeside } from '../known/neighbour.ts'
import { latestOf, type Oracle } from '../known/oracle.ts'
import { silencedIn } from '../known/silenced.ts'
import { count } from '../tally.ts'
import { lostIn, recordsOf, truthOf, type World } from '../world.ts'

/**
 * What a drift report calls unmanaged belongs to nobody here, and includes the strangers that lists and events show.
 */
export const checkUnmanaged = async (
  world: World,
  oracle: Oracle,
  document: any,
  lookedAt: number,
): Promise<void> => {
  const { unmanaged, summary } = document
  expect(summary.unmanaged).toBe(unmanaged.length)
  const [all, lost] = [Object.entries<any>(await recordsOf(world)), await lostIn(world)]
  const unknown = new Set(lost.map(({ address }) => address))
  const own = all.map(([, record]) => record)
  const seen = {
    world,
    oracle,
    // What another manifest records is managed there, also by a list.
    records: [...own, ...(await recordsBeside(oracle))],
    // For what waits to be settled, events are read from its last request on.
    readFrom: all.flatMap(([address, record]) => (unknown.has(address) ? [] : [record])),
    lost: new Set(lost.map(({ path }) => path.split('/').at(-1))),
    unmanaged,
    warnings: document.warnings,
    lookedAt,
  }
  checkConfigs(seen)
  checkIntegrations(seen)
  for (const thing of unmanaged)
    if (thing.seenIn === 'events') {
      count(`unmanaged: ${thing.section}`)
      checkTold(seen, thing)
    }
  checkShown(seen)
}

interface Seen {
  readonly world: World
  readonly oracle: Oracle
  readonly records: readonly any[]
  /** Those whose events are read from their last write on. */
  readonly readFrom: readonly any[]
  /** What requests of unknown outcome were about: a report lists it among our own things. */
  readonly lost: ReadonlySet<string | undefined>
  readonly unmanaged: readonly any[]
  readonly warnings: readonly string[]
  /** When the report read events. */
  readonly lookedAt: number
}

const identitiesOf = ({ unmanaged }: Seen, section: string, name: string): string[] => {
  const found: string[] = unmanaged.flatMap((each) => (each.section === section ? [each.identity[name]] : []))
  return found.toSorted()
}

/** A list shows all configurations, so the unmanaged ones are exactly those that nobody declares. */
const checkConfigs = (seen: Seen): void => {
  const { declared } = seen.oracle
  const ours = new Set([
    ...Object.values(declared.configs).map((each) => CONFIGS[each?.index ?? -1]),
    ...selectedBy(declared.selected),
    ...seen.records.map(({ identity }) => identity.alertConfigId),
  ])
  const free = [...CONFIGS, BYSTANDER].filter((id) => !ours.has(id) && !seen.lost.has(id))
  expect(identitiesOf(seen, 'alertConfigurations', 'alertConfigId')).toEqual(free.toSorted())
}

const checkIntegrations = (seen: Seen): void => {
  const { oracle, records, world } = seen
  const { declared } = oracle
  const isNamed = (projectId: string): boolean =>
    projectId === PROJECT ||
    declared.listed !== undefined ||
    Object.values(declared.windows).some((each) => each !== undefined && PROJECTS[each.project] === projectId)
  const isListed = declared.listed !== undefined || records.some(({ standing }) => standing === true)
  const ours = new Set([
    ...(declared.chat === undefined ? [] : [`${PROJECT} CHAT_A`]),
    ...records.map(({ identity }) => `${identity.projectId} ${identity.type}`),
  ])
  const there = [...truthOf(world).integrations].flatMap(([projectId, types]) =>
    isNamed(projectId) && !(projectId === LEDGER && isListed)
      ? types.map((type) => `${projectId} ${type}`)
      : [],
  )
  const found = seen.unmanaged
    .filter(({ section }) => section === 'integrations')
    .map(({ identity }) => `${identity.projectId} ${identity.type}`)
  expect(found.toSorted()).toEqual(there.filter((each) => !ours.has(each)).toSorted())
}

/** Keys that a history declares, by the names that events use. */
const KEY_IDS: ReadonlyMap<string, string> = new Map([
  ['reporter', REPORTER],
  [CI.publicKey, CALLER],
])

/** The acts on a thing, which events name in another way than the store. */
const actsOn = ({ world: { service } }: Seen, { section, identity }: any): Act[] => {
  const { id, username, publicKey } = identity
  return service.acts.filter((act) => {
    if (section === 'users') return act.kind === 'user' && act.after?.username === username
    if (section === 'apiKeys') return act.kind === 'apiKey' && act.id === KEY_IDS.get(publicKey)
    return act.kind === 'window' && act.id === id
  })
}

const isOurs = ({ oracle: { declared }, records }: Seen, { section, identity }: any): boolean => {
  const { id, username, publicKey } = identity
  if (section === 'users') {
    const names = [...Object.keys(declared.users), ...(declared.pat === undefined ? [] : ['pat'])]
    const isDeclared = names.some(
      (name) => `${name}@example.com` === username && (name === 'pat' || declared.users[name] !== undefined),
    )
    return isDeclared || records.some(({ applied }) => applied.username === username)
  }
  if (section === 'apiKeys') {
    // The first key of the runs is nobody's once it is replaced, and is told by what a run has written to it.
    const keyId = KEY_IDS.get(publicKey)
    const isDeclared = keyId === REPORTER && declared.key !== undefined
    return (
      isDeclared ||
      records.some(({ kind, identity: { apiKeyId } }) => kind === 'api_key' && apiKeyId === keyId)
    )
  }
  return (
    Object.values(declared.windows).some((each) => each?.windowId === id) ||
    records.some((each) => each.identity.id === id)
  )
}

/** It is there, nobody here has it, events do not say that it is over, and whoever is named has written to it. */
const checkTold = (seen: Seen, thing: any): void => {
  const { world, oracle } = seen
  const acts = actsOn(seen, thing)
  const made = acts.find(({ before }) => before === undefined)
  const told = acts.filter(({ seenFrom }) => seenFrom <= world.now)
  expect({ thing, isOurs: isOurs(seen, thing) }).toEqual({ thing, isOurs: false })
  expect({ thing, told: told.length > 0 }).toEqual({ thing, told: true })
  if (thing.section === 'maintenanceWindows') {
    // A clock that was set back hides what lies ahead of it, such as that a killed silence has made this.
    const isHidden = made !== undefined && made.at > world.now
    // A lost creation of ours may count as not made; and after the end that we gave it, a window belongs to whoever
    // prolonged it.
    const ourEnd = acts.findLast(({ by }) => by === 'run')?.after?.endDate
    const isOverForUs = ourEnd !== undefined && Date.parse(ourEnd) < world.now - LAG_MS
    // A lost silence is forgotten after its end, even if somebody else has prolonged it meanwhile.
    const isForgotten = oracle.isSilenceLost && Date.parse(ourEnd) < world.now
    if (!isHidden && !isForgotten)
      expect([...silencedIn(world, oracle)], 'unmanaged').not.toContain(thing.identity.id)
    if (!isHidden && !oracle.isUncertain && !isForgotten && !isOverForUs)
      expect({ thing, by: made?.by }).not.toEqual({ thing, by: 'run' })
    const isOver = told.every(({ after }) => Date.parse(after.endDate) <= world.now - 3_000)
    expect({ thing, isOver }).toEqual({ thing, isOver: false })
  }
  const actors = told.map(namedIn)
  for (const each of [thing.actor, ...(thing.changedBy ?? [])].filter((actor) => actor !== undefined))
    expect(actors).toContainEqual(expect.objectContaining(whoIn(each)))
  if (thing.changedBy !== undefined) count('unmanaged: several actors')
  // Whoever is called its maker made it.
  if (thing.isMaker === true && made !== undefined) expect(namedIn(made)).toMatchObject(whoIn(thing.actor))
}

const whoIn = ({ publicKey, username }: any): object =>
  publicKey === undefined ? { username } : { publicKey }

const LAG_MS = 600_000

/** From when on events were surely read: since the last write of something that only events tell of, or of anything. */
const readSince = ({ readFrom, world }: Seen): number => {
  const told = readFrom.filter(({ kind }) => ['maintenance_window', 'user', 'api_key'].includes(kind))
  const from = (told.length > 0 ? told : readFrom).map(({ lastWrite, watermark }) =>
    Math.max(Date.parse(lastWrite?.from ?? watermark), Date.parse(watermark) - LAG_MS),
  )
  return from.length === 0 ? world.now : Math.min(...from) + 1_000
}

/** What another key has made, or whom it gave roles, is reported once events tell it. */
const checkShown = (seen: Seen): void => {
  const { world, oracle, warnings } = seen
  // In a time that was lived twice, nothing tells what came first; and a warning names what could not be read.
  if (oracle.setBack !== undefined || warnings.some((said) => /^organization \w+: /.test(said))) return
  const since = readSince(seen)
  const isKnown = ({ id }: Act): boolean =>
    oracle.left.has(id) || oracle.taken.has(id) || oracle.disowned.has(id)
  const shown = world.service.acts.filter(
    (act) => act.by === 'oncall' && act.seenFrom <= seen.lookedAt && act.at >= since,
  )
  const wanted = shown.flatMap((act) => {
    const thing = thingOf(act)
    if (thing === undefined || isOurs(seen, thing) || isKnown(act)) return []
    const ends = world.service.acts
      .filter((each) => act.kind === 'window' && each.id === act.id)
      .map(({ after }) => Date.parse(after.endDate))
    return ends.every((end) => end > latestOf(world, oracle) + 60_000) ? [thing] : []
  })
  count(`unmanaged: ${wanted.length > 0 ? 'strangers that events show' : 'nobody shown'}`)
  // Without their raw documents, events tell no end, and a warning names the windows instead.
  const isUntold = ({ section }: { section: string }) =>
    section === 'maintenanceWindows' && world.settings['open.rawDocument'] === 'empty'
  if (wanted.some(isUntold)) expect(warnings.join('\n')).toMatch(/none shows whether (it is|they are) over/u)
  for (const { section, identity } of wanted.filter((each) => !isUntold(each)))
    expect(seen.unmanaged).toContainEqual(
      expect.objectContaining({ section, identity: expect.objectContaining(identity) }),
    )
}

const thingOf = ({ kind, id, after, before }: Act): { section: string; identity: object } | undefined => {
  if (kind === 'window' && before === undefined) return { section: 'maintenanceWindows', identity: { id } }
  if (kind === 'user') return { section: 'users', identity: { username: after.username } }
  return undefined
}
