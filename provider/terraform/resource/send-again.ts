import { isReadable, type KindDefinition } from '../../core/index.ts'
import { isComplete, same, sureOf, type LostWrite, type PlannedChange, type Run } from '../../engine/index.ts'
import { RequestError } from '../../errors/index.ts'
import { noted, perhapsDone, stillNotDone, takenOver, withReason } from '../words/applies.ts'
import { known } from '../codec/plain.ts'
import { errorAt, warningAt, type Diagnostic, type Text } from '../diagnostics.ts'
import { carryOutAll, type ReportedByAddress } from './carry-out.ts'
import type { ResourceChange } from './change.ts'
import { isSent, lookAgain, type Given, type Look } from './look-again.ts'
import { settleCreation } from './lost-creation.ts'

/** How many times one write is sent at most. */
const MOST = 3

/**
 * Carries out what is planned; returns the diagnostics and the last run. The bodies of writes are absolute: if the
 * answer to one is lost, a read or events say whether it is still to be done and whether somebody else has changed
 * the thing since, and it is sent again. If it keeps failing, its record gets the live values.
 */
export const carryOutAndSettle = (
  definition: KindDefinition,
  change: ResourceChange,
  given: Given,
): Promise<{ readonly said: readonly Diagnostic[]; readonly run: Run }> =>
  new CarryingOut(definition, change, given).untilSettled()

/** One change of a resource under way, with its diagnostics so far. */
class CarryingOut {
  readonly #definition: KindDefinition
  readonly #change: ResourceChange
  readonly #given: Given
  /** For each address, the diagnostics of its last answer or of the look after it. */
  readonly #said: ReportedByAddress = new Map()
  /** Warnings about creations that are recorded although their answers were lost. */
  readonly #noted: Diagnostic[] = []

  constructor(definition: KindDefinition, change: ResourceChange, given: Given) {
    this.#definition = definition
    this.#change = change
    this.#given = given
  }

  async untilSettled(): Promise<{ readonly said: readonly Diagnostic[]; readonly run: Run }> {
    let { run } = this.#given
    let { planned } = run.plan
    for (let sent = 1; ; sent += 1) {
      await this.#send(planned)
      const look = await this.#look()
      if (look === undefined) return { said: [...[...this.#said.values()].flat(), ...this.#noted], run }
      run = look.run
      planned = await this.#stillToDo(look, sent === MOST)
    }
  }

  async #send(planned: readonly PlannedChange[]): Promise<void> {
    const now = await carryOutAll(this.#definition, planned, this.#change, this.#given.tools)
    for (const [address, diagnostics] of now) this.#said.set(address, diagnostics)
  }

  /** Looks at writes whose answers were lost; undefined if there are none, or if the look fails. */
  async #look(): Promise<Look | undefined> {
    const { ledger } = this.#given.tools
    const { POST: creations = [], others: lost = [] } = Object.groupBy(ledger.takeLost(), ({ method }) =>
      method === 'POST' ? method : 'others',
    )
    const made: LostWrite[] = []
    for (const write of creations) if (await this.#isRecorded(write)) made.push(write)
    const look =
      lost.length + made.length === 0
        ? undefined
        : await lookAgain(this.#definition, { lost, made }, this.#given).catch(notReached)
    if (look === undefined) ledger.leaveUnsure(lost)
    return look
  }

  /** Whether events tell what a lost creation has made; if not, the diagnostics get the reason. */
  async #isRecorded(write: LostWrite): Promise<boolean> {
    const { ledger } = this.#given.tools
    const { address } = write
    const found = await settleCreation(this.#definition, write, this.#change, this.#given).catch(notReached)
    if (found?.is !== 'made') {
      const because = found?.because
      if (because !== undefined) this.#reword(address, (each) => withReason(each, this.#definition, because))
      return false
    }
    const record = ledger.records[address]
    // A later event, or a person, has to tell its id.
    const isNamed = record === undefined || isComplete(this.#definition, record.identity)
    const text = isNamed
      ? takenOver(this.#definition, found.how)
      : noted(this.#definition, this.#change.planned ?? known({}), found.how)
    this.#noted.push(warningAt(undefined, text))
    return true
  }

  /** Updates the diagnostics of each write, and gives up those that are not sent again; returns the rest. */
  async #stillToDo({ planned, refused, about }: Look, isLast: boolean): Promise<readonly PlannedChange[]> {
    const givenUp = planned.filter((each) => isSent(each) && (isLast || refused.has(each.change.address)))
    for (const each of givenUp) await keepLive(this.#definition, each, this.#given)
    const notDone = isReadable(this.#definition) ? stillNotDone : perhapsDone
    const failing = new Set(givenUp.map(({ change: { address } }) => address))
    for (const { address } of about) {
      const because = refused.get(address)
      if (because !== undefined) this.#said.set(address, [...(this.#said.get(address) ?? []), ...because])
      else if (failing.has(address)) this.#reword(address, (each) => notDone(each, MOST))
      else this.#said.delete(address)
    }
    return planned.filter((each) => !givenUp.includes(each))
  }

  #reword(address: string, words: (said: Diagnostic) => Text): void {
    const before = this.#said.get(address) ?? []
    this.#said.set(
      address,
      before.map((each) => (each.severity === 'error' ? errorAt(each.at, words(each)) : each)),
    )
  }
}

/** If the service or the network denies a look, lost writes stay unsure; any other error is a defect. */
const notReached = (error: unknown): undefined => {
  if (!(error instanceof RequestError)) throw error
}

/** Records what a read has shown; if it shows no trace of an adoption, nothing is recorded. */
const keepLive = async (
  definition: KindDefinition,
  { change: { address }, work }: PlannedChange,
  { input, tools: { ledger } }: Given,
): Promise<void> => {
  const resource = ledger.records[address]
  if (work.do !== 'write' || work.seen === null || resource === undefined) return
  const { seen, fields } = work
  const isUntouched = fields.every((name) =>
    same(definition.fields[name], seen[name], resource.adopted?.[name]),
  )
  const live = Object.fromEntries(fields.map((name) => [name, seen[name]]))
  const asRead = {
    ...sureOf(resource),
    applied: { ...resource.applied, ...live },
    answer: { ...resource.answer, ...live },
  }
  await ledger.effects([
    input.records[address] === undefined && isUntouched
      ? { op: 'drop', address }
      : { op: 'put', address, resource: asRead },
  ])
}
