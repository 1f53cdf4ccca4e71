import { expect } from 'vitest'
import { checkDeclared, checkNothingTwice, type After } from './check-declared.ts'
import { checkQuiet } from './check-quiet.ts'
import { checkTouched } from './check-touched.ts'
import { applyIn } from '../steps/applies.ts'
import { CONFIGS, PROJECT } from '../fixture.ts'
import {
  foreignTo,
  isBlurred,
  latestOf,
  looksOwn,
  roleText,
  roleTexts,
  type Oracle,
} from '../known/oracle.ts'
import { checkStrangers, disown } from './check-strangers.ts'
import { count } from '../tally.ts'
import { recordsOf, truthOf, type Ended, type World } from '../world.ts'

/** Checks the outcome of an apply against what the service really holds. */
export const checkApplied = async (world: World, oracle: Oracle, ended: Ended): Promise<void> => {
  const { code, document: summary, said, number } = ended
  checkTouched(world, oracle, number)
  if (code === null) return
  await checkQuiet(world, oracle)
  const why =
    summary.error?.code ?? summary.problems.find(({ error }: any) => error !== undefined)?.error.code
  count(
    `apply${oracle.isUncertain ? ' after a loss' : ''}: exit ${code}${why === undefined ? '' : `, ${why}`}`,
  )
  expect({ code, said }).toMatchObject({ code: summary.exitCode })
  if (summary.strangers !== undefined) return checkBeside(world, oracle, summary)
  if (code === 3) return checkUnknown(world, oracle, said)
  if (code === 1) return checkFailed(world, oracle, ended)
  const blocked = new Set<string>(summary.blocked.map(({ address }: any) => address))
  expect({ code, said, problems: summary.problems }).toMatchObject({
    code: blocked.size > 0 ? 2 : 0,
    problems: [],
  })
  const after = { world, oracle, truth: truthOf(world), records: await recordsOf(world), blocked }
  for (const address of blocked) checkBlocked(after, address)
  checkDeclared(after)
  checkNothingTwice(after)
  oracle.endedWell()
  if (world.actsOf(number).length > 0) oracle.reachedAt = world.now
  await checkNothingLeft(after)
}

/** An apply may fail only if the service refused something, or if it would have overwritten what others did. */
const checkFailed = async (
  world: World,
  oracle: Oracle,
  { number, said, document }: Ended,
): Promise<void> => {
  if (oracle.isUncertain || world.service.refusals.some(({ run }) => run === number)) return
  const records = await recordsOf(world)
  const failed = document.problems.filter(({ status }: any) => status === 'failed')
  const isGuarded = ({ address, error }: any): boolean =>
    error.code === 'DM-GUARD' && wasChangedByOthers(world, oracle, idAt(records, address))
  expect({ said, error: document.error }).toEqual({ said, error: undefined })
  expect(failed).not.toEqual([])
  expect(failed.filter((each: any) => !isGuarded(each))).toEqual([])
}

const wasChangedByOthers = (world: World, oracle: Oracle, id: string): boolean => {
  const { acts } = world.service
  const acceptedAt = oracle.accepted.get(id) ?? 0
  // No report shows what looks like our own act, so nobody can have accepted it.
  return acts.some(
    (act) => act.id === id && act.by !== 'run' && (act.seenFrom >= acceptedAt || looksOwn(acts, act)),
  )
}

/** If strangers kept something from being created, it is created once a person has disowned them. */
const checkBeside = async (world: World, oracle: Oracle, summary: any): Promise<void> => {
  await checkStrangers(world, oracle, summary)
  if (!(await disown(world, oracle, summary.strangers))) return
  await checkApplied(world, oracle, await applyIn(world, oracle))
}

/** An apply reports unknown outcomes only if an answer was really lost, and `state list` shows them. */
const checkUnknown = async (world: World, oracle: Oracle, said: string): Promise<void> => {
  expect({ said, isUncertain: oracle.isUncertain }).toMatchObject({ isUncertain: true })
  const { document: rows } = await world.json(['state', 'list'])
  expect(rows.filter(({ status }: any) => status === 'unknown')).not.toEqual([])
}

/** A plan after an apply has nothing left to do, except what was reported as blocked. */
const checkNothingLeft = async ({ world, oracle, records, blocked }: After): Promise<void> => {
  const ended = await world.json(['plan', '--detailed-exitcode', '--all'])
  const { document } = ended
  const isSure = ({ address }: any): boolean => !isBlurred(world, oracle, idAt(records, address))
  const changes = document.changes.filter(isLeft)
  const left = changes.filter((change: any) => isSure(change) && !blocked.has(change.address))
  expect(left.map(inShort)).toEqual([])
  checkDocument(ended)
}

const inShort = ({ address, action, reason, fields, evidence }: any): string =>
  JSON.stringify([address, action, reason, fields, evidence])

export const idAt = (records: any, address: string): string => {
  const { id, apiKeyId, alertConfigId, userId } = records[address]?.identity ?? {}
  return id ?? apiKeyId ?? alertConfigId ?? userId ?? ''
}

/** What is reported as blocked has a reason, which the service or the manifest shows. */
const checkBlocked = (after: After, address: string): void => {
  const { world, oracle, truth, records } = after
  const [section, name = ''] = address.split('.', 2)
  const record = records[address]
  const { declared, gone } = oracle
  if (gone !== undefined && gone === idAt(records, address)) return
  if (section === 'integrations')
    return expect({ declared, live: truth.integrations.get(PROJECT)?.includes('CHAT_A') }).toMatchObject({
      declared: { chat: 'present' },
      live: false,
    })
  if (section === 'users') {
    // A user whose id is unknown cannot be changed.
    if (record?.isNamedAlone === true) return
    const wanted = roleTexts((name === 'pat' ? declared.pat : declared.users[name])?.roles ?? [])
    const { roles } = truth.users.get(`${name}@example.com`)
    return expect(roles.map(roleText).every((role: string) => wanted.includes(role))).toBe(false)
  }
  // What a person has accepted is left as it is.
  if (oracle.accepted.has(idAt(records, address))) return
  if (section === 'alertConfigurations') return checkKept(after, address)
  if (section === 'apiKeys')
    return expect({ record, declared: declared.key }).toMatchObject(
      declared.key === undefined ? { record: { protect: true } } : { declared: { protect: true } },
    )
  expect(section).toBe('maintenanceWindows')
  const { windowId } = declared.windows[name] ?? {}
  // Once it is taken over, it is a window like any other: it may be over, or somebody else may have prolonged it.
  if (windowId !== undefined && windowId !== idAt(records, address)) return checkNotTaken(after, address)
  expect({ address, record }).toMatchObject({ record: { applied: {} } })
  const isOver = Date.parse(record.applied.endDate) <= latestOf(world, oracle)
  // Or a write of ours whose answer was lost has ended it, and by a clock that was set back it is still to come.
  const isForeign =
    oracle.isUncertain ||
    oracle.setBack !== undefined ||
    world.service.acts.some(({ id, by }) => id === record.identity.id && by !== 'run')
  expect({
    address,
    isMeant: record.protect === true || declared.windows[name]?.protect === true || (isOver && isForeign),
  }).toMatchObject({ isMeant: true })
}

/** A protected configuration is not turned off; one that is recorded as protected is not released, on or off. */
const checkKept = ({ oracle, truth, records }: After, address: string): void => {
  const own = oracle.declared.configs[address.replace('alertConfigurations.', '')]
  if (own === undefined)
    return expect({ address, record: records[address] }).toMatchObject({
      record: { protect: true, onRemove: 'restore' },
    })
  const isOn = truth.configs.get(oracle.configAt(address) ?? '')
  const isMeant = own.protect === true && !own.enabled
  expect({ address, isOn, isMeant }).toEqual({ address, isOn: true, isMeant: true })
}

/** A `windowId` blocks an entry only if it is the id of another record, or of no window. */
const checkNotTaken = ({ oracle, truth, records }: After, address: string): void => {
  const id = oracle.declared.windows[address.split('.')[1] ?? '']?.windowId ?? ''
  // If this apply created the other record's window anew, the id was still its own when this was planned.
  const elsewhere = [oracle.recordsThen, records].flatMap((known) =>
    Object.keys(known).filter((each) => each !== address && idAt(known, each) === id),
  )
  const isThere = truth.windows.has(id)
  expect({ address, isThere, elsewhere }).not.toEqual({ address, isThere: true, elsewhere: [] })
}

export const isLeft = ({ action }: any): boolean => action !== 'unchanged' && action !== 'expired'

/** The parts of a plan document agree with one another, and with the exit code. */
const checkDocument = ({ code, document: { changes, inSync, summary, strangers } }: Ended): void => {
  const counts = Object.fromEntries(Object.keys(summary).map((name) => [name, 0]))
  for (const { action, evidence } of changes) {
    const isUnseen = action === 'unchanged' && evidence.level !== 'read'
    const name = isUnseen ? 'unverifiable' : action
    counts[name] = (counts[name] ?? 0) + 1
  }
  expect(summary).toEqual(counts)
  const isDone = !changes.some(isLeft)
  const left = strangers === undefined ? 2 : 3
  expect({ code, inSync }).toEqual({ code: isDone ? 0 : left, inSync: isDone })
}

/** A plan suspects only what somebody else can have changed; our own writes make nothing suspect. */
const checkSuspects = (world: World, oracle: Oracle, records: any, { changes }: any): void => {
  for (const { address, evidence } of changes) {
    if (evidence?.level !== 'suspect' || records[address] === undefined) continue
    count('plan: suspect')
    const { since, unclear } = foreignTo(world, oracle, idAt(records, address))
    const { events } = evidence
    expect({ address, events, isPossible: since.length + unclear.length > 0 }).toEqual({
      address,
      events,
      isPossible: true,
    })
  }
}

/** A plan sends nothing but reads, and its exit code fits its document. */
export const checkPlan = async (world: World, oracle: Oracle): Promise<void> => {
  const ended = await world.json(['plan', '--detailed-exitcode', '--all'])
  expect(world.actsOf(ended.number)).toEqual([])
  // While requests are to be settled, a plan is not in sync, even if it shows no difference.
  if (ended.document?.toBeSettled !== undefined)
    expect({ code: ended.code, inSync: ended.document.inSync }).toEqual({
      code: ended.document.strangers === undefined ? 2 : 3,
      inSync: false,
    })
  if (oracle.isUncertain) return
  expect(ended.document).not.toHaveProperty('toBeSettled')
  expect(ended).toMatchObject({ document: { formatVersion: 1 } })
  checkDocument(ended)
  checkSuspects(world, oracle, await recordsOf(world), ended.document)
  checkIgnored(world, oracle, ended.document)
}

/** A plan names what its entries leave to others, if it is not as they say, and nothing else. */
const checkIgnored = (world: World, { declared }: Oracle, { changes, ignored = [] }: any): void => {
  const { configs } = truthOf(world)
  const meant = Object.entries(declared.configs).flatMap(([name, each]) => {
    const isOther = each?.isIgnored === true && configs.get(CONFIGS[each.index] ?? '') !== each.enabled
    return isOther ? [`alertConfigurations.${name}`] : []
  })
  // Another entry may claim the same configuration. What is renamed, or gets other settings, is left as it is, too.
  const isToOthers = (address: string): boolean =>
    changes.some(
      ({ address: own, action, requests }: any) =>
        own === address &&
        (action === 'unchanged' || action === 'moved' || (action === 'update' && requests.length === 0)),
    )
  count(`plan: ${meant.length > 0 ? 'something' : 'nothing'} is left to others`)
  expect(ignored.map(({ address }: any) => address).toSorted()).toEqual(meant.filter(isToOthers).toSorted())
}
