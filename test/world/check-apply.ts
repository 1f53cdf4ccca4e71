import { expect } from 'vitest'
import { checkDeclared, checkNothingTwice, type After } from './check-declared.ts'
import { checkTouched } from './check-touched.ts'
import { applyIn } from './applies.ts'
import { PROJECT } from './fixture.ts'
import { foreignTo, isBlurred, latestOf, looksOwn, roleText, roleTexts, type Oracle } from './oracle.ts'
import { checkStrangers, disown } from './strangers.ts'
import { count } from './tally.ts'
import { recordsOf, truthOf, type Ended, type World } from './world.ts'

/** What becomes of an apply, against what the service really holds. */
export const checkApplied = async (world: World, oracle: Oracle, ended: Ended): Promise<void> => {
  const { code, document: summary, said, number } = ended
  checkTouched(world, oracle, number)
  if (code === null) return
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

/** An apply has failed because the service refused something, or would have written over what others did. */
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
  // What looks like our own was not there to be accepted.
  return acts.some(
    (act) => act.id === id && act.by !== 'run' && (act.seenFrom >= acceptedAt || looksOwn(acts, act)),
  )
}

/** What was not made beside strangers is made once a person has said that they are not ours. */
const checkBeside = async (world: World, oracle: Oracle, summary: any): Promise<void> => {
  await checkStrangers(world, oracle, summary)
  if (!(await disown(world, oracle, summary.strangers))) return
  await checkApplied(world, oracle, await applyIn(world, oracle))
}

/** What is unknown is said, and really is: an answer was lost. */
const checkUnknown = async (world: World, oracle: Oracle, said: string): Promise<void> => {
  expect({ said, isUncertain: oracle.isUncertain }).toMatchObject({ isUncertain: true })
  const { document: rows } = await world.json(['state', 'list'])
  expect(rows.filter(({ status }: any) => status === 'unknown')).not.toEqual([])
}

/** The plan after an apply has nothing to do, but for what was said to be blocked. */
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

/** What is said to be blocked has a reason that the service shows, or the manifest. */
const checkBlocked = (after: After, address: string): void => {
  const { world, oracle, truth, records } = after
  const [section, name = ''] = address.split('.', 2)
  const record = records[address]
  const { declared } = oracle
  if (section === 'integrations')
    return expect({ declared, live: truth.integrations.get(PROJECT)?.includes('CHAT_A') }).toMatchObject({
      declared: { chat: 'present' },
      live: false,
    })
  if (section === 'users') {
    // Nothing of a user whose id is not known can be changed.
    if (record?.isNamedAlone === true) return
    const wanted = roleTexts((name === 'pat' ? declared.pat : declared.users[name])?.roles ?? [])
    const { roles } = truth.users.get(`${name}@example.com`)
    return expect(roles.map(roleText).every((role: string) => wanted.includes(role))).toBe(false)
  }
  // What a person has accepted is left as it is.
  if (oracle.accepted.has(idAt(records, address))) return
  if (section === 'alertConfigurations') return checkKeptOn(after, address)
  if (section === 'apiKeys')
    return expect({ record, declared: declared.key }).toMatchObject(
      declared.key === undefined ? { record: { protect: true } } : { declared: { protect: true } },
    )
  expect(section).toBe('maintenanceWindows')
  const { windowId } = declared.windows[name] ?? {}
  // Once it is taken over it is a window like any other, that may be over, or prolonged by somebody else.
  if (windowId !== undefined && windowId !== idAt(records, address)) return checkNotTaken(after, address)
  expect({ address, record }).toMatchObject({ record: { applied: {} } })
  const isOver = Date.parse(record.applied.endDate) <= latestOf(world, oracle)
  // Or it ended by a write of ours whose answer was lost, of which a clock that was set back says that it is to come.
  const isForeign =
    oracle.isUncertain ||
    oracle.setBack !== undefined ||
    world.service.acts.some(({ id, by }) => id === record.identity.id && by !== 'run')
  expect({
    address,
    isMeant: record.protect === true || declared.windows[name]?.protect === true || (isOver && isForeign),
  }).toMatchObject({ isMeant: true })
}

/** What is protected is not turned off, and what was is not released. */
const checkKeptOn = ({ oracle, truth, records }: After, address: string): void => {
  const id = oracle.configAt(address) ?? idAt(records, address)
  const own = oracle.declared.configs[address.replace('alertConfigurations.', '')]
  const isMeant =
    own === undefined ? records[address]?.protect === true : own.protect === true && !own.enabled
  expect({ address, isOn: truth.configs.get(id), isMeant }).toEqual({ address, isOn: true, isMeant: true })
}

/** The id of another record, or of no window. */
const checkNotTaken = ({ oracle, truth, records }: After, address: string): void => {
  const id = oracle.declared.windows[address.split('.')[1] ?? '']?.windowId ?? ''
  // What is made anew under the other name in the same apply had it when that was planned.
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

/** A plan suspects nothing that nobody else can have changed: not by what we did ourselves. */
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
  // What is yet to be asked is no difference, and no peace either.
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
}
