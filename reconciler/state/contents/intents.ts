import type { IntentRecord, JournalRecord, OpenIntent } from './journal-model.ts'
import { note, numbersOf, sentSince } from './open-intents.ts'
import { plain } from './plain.ts'

/** A write that is about to be sent: an intent record without what the session adds. */
export type NewIntent = Omit<IntentRecord, 'type' | 'n' | 'at'>

/** The writes that a session knows to be open, by the numbers under which their outcome is reported. */
export class Intents {
  readonly #open: Map<number, OpenIntent>
  /** Numbers of what this command has sent, or is about to, and whose outcome it may still learn. */
  readonly #underWay = new Set<number>()
  readonly #leaving = new Leaving()
  #lastNumber: number

  constructor(unknown: readonly OpenIntent[], journal: readonly JournalRecord[]) {
    this.#open = new Map(unknown.map((intent) => [intent.n, intent]))
    for (const intent of unknown) this.#leaving.begins(intent)
    // No call has as many arguments as a journal can have records.
    this.#lastNumber = journal.reduce((last, record) => Math.max(last, 'n' in record ? record.n : 0), 0)
  }

  /** Those with an unknown outcome, of this command and of earlier ones. */
  get unknown(): OpenIntent[] {
    return [...this.#open.values()].filter(({ n }) => !this.#underWay.has(n))
  }

  /** When the first that is open was to leave, service time in milliseconds. */
  get since(): number {
    return this.#leaving.since(this.#open)
  }

  /** Numbers them; answers the records that have to be kept before any of them leaves. */
  begin(intents: readonly NewIntent[], at: string): IntentRecord[] {
    const records = intents.map((intent) => {
      const n = (this.#lastNumber += 1)
      return plain<IntentRecord>({ ...intent, type: 'intent', n, at })
    })
    for (const record of records) {
      note(this.#open, record)
      this.#leaving.begins(record)
      this.#underWay.add(record.n)
    }
    return records
  }

  /** The records could not be kept, so none of them has left. */
  forget(records: readonly IntentRecord[]): void {
    for (const { n } of records) {
      this.#open.delete(n)
      this.#underWay.delete(n)
    }
  }

  /** This command will not learn its outcome any more. */
  giveUp(n: number): void {
    this.#underWay.delete(n)
  }

  /** What a record tells of them. */
  note(record: JournalRecord): void {
    note(this.#open, record)
    for (const n of numbersOf(record)) if (!this.#open.has(n)) this.#underWay.delete(n)
  }

  /** @throws RangeError if it is not open */
  requireOpen(n: number): void {
    if (!this.#open.has(n)) throw new RangeError(`the journal has no open intent ${n}`)
  }
}

/** When the first of open intents was to leave, of which thousands can be written down ahead: each answer asks for it. */
class Leaving {
  /** Whether they were to leave in the order in which they were written down, as they are unless a clock was set back. */
  #isInOrder = true
  #last = Number.NEGATIVE_INFINITY

  /** One more is open, the last of all. */
  begins(intent: IntentRecord): void {
    const at = sentSince([intent])
    this.#isInOrder &&= this.#last <= at
    this.#last = at
  }

  /** Service time in milliseconds. */
  since(open: ReadonlyMap<number, IntentRecord>): number {
    const [first] = open.values()
    return sentSince(this.#isInOrder && first !== undefined ? [first] : [...open.values()])
  }
}
