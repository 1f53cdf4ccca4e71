import type { KindDefinition } from '../../core/index.ts'
import { parseInstant } from '../../core/instant.ts'
import {
  eventsAbout,
  isComplete,
  readAndPlan,
  same,
  settle,
  sureOf,
  type LostWrite,
  type PlannedChange,
  type Run,
  type RunInput,
} from '../../engine/index.ts'
import { RequestError } from '../../errors/index.ts'
import {
  changedMeanwhile,
  noted,
  notSentAgain,
  perhapsDone,
  stillNotDone,
  withReason,
} from '../words/applies.ts'
import { known } from '../codec/plain.ts'
import { errorAt, hasErrors, warningAt, type Diagnostic } from '../diagnostics.ts'
import { carryOutAll, type SaidByAddress, type Tools } from './carry-out.ts'
import type { ResourceChange } from './change.ts'
import { settleCreation } from './lost-creation.ts'

/** How often one write is sent at most. */
const MOST = 3

interface Given {
  readonly run: Run
  readonly input: RunInput
  readonly tools: Tools
  /** What an apply refuses of a plan. */
  readonly refuse: (run: Run) => readonly Diagnostic[]
}

/**
 * Carries out what is planned; answers what was said, and the last reading. The bodies of writes are absolute:
 * where the answer to one is lost, a reading, or events, say whether it is still to be done and whether somebody
 * else has changed the thing since, and it is sent again. What goes on failing has what is live in its record.
 */
export const carryOutAndSettle = async (
  definition: KindDefinition,
  change: ResourceChange,
  given: Given,
): Promise<{ readonly said: readonly Diagnostic[]; readonly run: Run }> => {
  const { tools } = given
  const said: SaidByAddress = new Map()
  const found: Diagnostic[] = []
  let look: Look = { run: given.run, planned: given.run.plan.planned, refused: new Map() }
  for (let sent = 1; ; sent += 1) {
    const now = await carryOutAll(definition, look.planned, change, tools)
    for (const [address, diagnostics] of now) said.set(address, diagnostics)
    const { POST: creations = [], others: lost = [] } = Object.groupBy(
      tools.ledger.takeLost(),
      ({ method }) => (method === 'POST' ? method : 'others'),
    )
    const { made, told } = await creationsSettled(definition, creations, change, { given, said })
    found.push(...told)
    const next =
      lost.length + made.length === 0
        ? undefined
        : await lookAgain(definition, { lost, made }, given).catch(notReached)
    if (next === undefined) {
      tools.ledger.leaveUnsure(lost)
      return { said: [...said.values()].flat().concat(found), run: look.run }
    }
    const givenUp = next.planned.filter(
      (each) => isSent(each) && (sent === MOST || next.refused.has(each.change.address)),
    )
    for (const each of givenUp) await keepLive(definition, each, given)
    const failing = new Set([...next.refused.keys(), ...givenUp.map(({ change: { address } }) => address)])
    for (const { address } of [...lost, ...made])
      if (failing.has(address)) said.set(address, failed(definition, said, address, next))
      else said.delete(address)
    look = { ...next, planned: next.planned.filter((each) => !givenUp.includes(each)) }
  }
}

/** The lost creations of which events tell what they made; of the others it is said what is known. */
const creationsSettled = async (
  definition: KindDefinition,
  lost: readonly LostWrite[],
  change: ResourceChange,
  { given, said }: { readonly given: Given; readonly said: SaidByAddress },
): Promise<{ readonly made: readonly LostWrite[]; readonly told: readonly Diagnostic[] }> => {
  const { creations, ledger } = given.tools
  const made: LostWrite[] = []
  const told: Diagnostic[] = []
  for (const write of lost) {
    const found = await settleCreation(definition, write, change, given).catch(notReached)
    if (found?.is === 'recorded') {
      creations.open.delete(write)
      made.push(write)
      // Its id is for a later event to tell, or for a person.
      const record = ledger.records[write.address]
      if (record !== undefined && !isComplete(definition, record.identity))
        told.push(warningAt(undefined, noted(definition, change.planned ?? known({}), found.how)))
    } else if (found?.because !== undefined) {
      const { because } = found
      const before = said.get(write.address) ?? []
      said.set(
        write.address,
        before.map((each) =>
          each.severity === 'error' ? errorAt(each.at, withReason(each, definition, because)) : each,
        ),
      )
    }
  }
  return { made, told }
}

/** A look that the service or the network denies leaves what was lost unsure; any other error is a defect. */
const notReached = (error: unknown): undefined => {
  if (!(error instanceof RequestError)) throw error
}

const isSent = ({ work }: PlannedChange): boolean =>
  work.do === 'write' || work.do === 'delete' || work.do === 'release'

const failed = (
  { observe }: KindDefinition,
  said: SaidByAddress,
  address: string,
  { refused }: Look,
): Diagnostic[] => {
  const because = refused.get(address)
  const before = said.get(address) ?? []
  if (because !== undefined) return [...before, ...because]
  const words = observe.how === 'everything' ? stillNotDone : perhapsDone
  return before.map((each) => (each.severity === 'error' ? errorAt(each.at, words(each, MOST)) : each))
}

interface Look {
  readonly run: Run
  /** What is still to be done about the writes in question. */
  readonly planned: readonly PlannedChange[]
  /** Why one is not sent again, by address. */
  readonly refused: ReadonlyMap<string, readonly Diagnostic[]>
}

const lookAgain = async (
  definition: KindDefinition,
  { lost, made }: { readonly lost: readonly LostWrite[]; readonly made: readonly LostWrite[] },
  { input, tools: { client, ledger }, refuse }: Given,
): Promise<Look> => {
  const { declaration } = input
  const { records } = ledger
  const { settled, open } = await settle(lost, { definitions: [definition], declaration, records, client })
  for (const { effects } of settled) await ledger.effects(effects)
  ledger.leaveUnsure(open.map(({ write }) => write))
  const refused = new Map<string, readonly Diagnostic[]>(
    open.map(({ write, because }) => [write.address, [errorAt(undefined, notSentAgain(because))]]),
  )
  const run = await readAndPlan(client, { ...input, records })
  const again = [...lost, ...made].filter(({ address }) => !refused.has(address))
  const planned = run.plan.planned.filter(({ change }) =>
    again.some(({ address }) => address === change.address),
  )
  for (const each of planned.filter(isSent)) {
    const { address } = each.change
    const write = lost.find((one) => one.address === address && !refused.has(address))
    const conflicts = [
      ...refuse({ ...run, plan: { ...run.plan, planned: [each] } }),
      ...(write === undefined ? [] : await conflictOf(definition, write, { records, client, declaration })),
    ]
    if (hasErrors(conflicts)) refused.set(address, conflicts)
  }
  return { run, planned, refused }
}

/** A reading shows what is there, and not whether our write came before it: events tell who wrote since. */
const conflictOf = async (
  definition: KindDefinition,
  { address, at, fields }: LostWrite,
  { records, client, declaration }: Pick<RunInput, 'records' | 'declaration'> & Pick<Tools, 'client'>,
): Promise<Diagnostic[]> => {
  const record = records[address]
  if (definition.observe.how !== 'everything' || record === undefined) return []
  const since = Math.floor(parseInstant(at) / 1000) * 1000
  const about = await eventsAbout(client, definition, { ...record, watermark: at }, declaration)
  const events = about.events.filter(({ created }) => parseInstant(created) >= since)
  return events.length === 0
    ? []
    : [errorAt(undefined, changedMeanwhile(definition, record.identity, fields, events))]
}

/** What a reading has shown goes into the record; where it shows no trace of an adoption, there is none. */
const keepLive = async (
  definition: KindDefinition,
  { change: { address }, work }: PlannedChange,
  { input, tools: { ledger } }: Given,
): Promise<void> => {
  const resource = ledger.records[address]
  if (work.do !== 'write' || work.seen === null || resource === undefined) return
  const { seen, fields } = work
  const isUntouched = fields.every((name) => {
    const field = definition.fields[name]
    return field === undefined || same(field, seen[name], resource.adopted?.[name])
  })
  const live = Object.fromEntries(fields.map((name) => [name, seen[name]]))
  await ledger.effects([
    input.records[address] === undefined && isUntouched
      ? { op: 'drop', address }
      : { op: 'put', address, resource: { ...sureOf(resource), applied: { ...resource.applied, ...live } } },
  ])
}
