import type { IntentRecord, JournalRecord, OpenIntent } from './journal-model.ts'
import { note, numbersOf, sentSince } from './open-intents.ts'
import { plain } from './plain.ts'

/** A write that is about to be sent: an intent record without the properties that the session adds. */
export type NewIntent = Omit<IntentRecord, 'type' | 'n' | 'at'>

/** The open writes that a session knows, by the numbers under which their outcomes are reported. */
export class Intents {
  readonly #open: Map<number, OpenIntent>
  /** Numbers of the intents that this command has sent or is about to send, and whose outcome it may still learn. */
  readonly #underWay = new Set<number>()
  readonly #leaving = new Leaving()
  #lastNumber: number

  constructor(unknown: readonly OpenIntent[], journal: readonly JournalRecord[]) {
    this.#open = new Map(unknown.map((intent) => [intent.n, intent]))
    for (const intent of unknown) this.#leaving.begins(intent)
    // Not `Math.max(...)`: a journal can have more records than a call can have arguments.
    this.#lastNumber = journal.reduce((last, record) => Math.max(last, 'n' in record ? record.n : 0), 0)
  }

  /** Intents with an unknown outcome, of this command and of earlier ones. */
  get unknown(): OpenIntent[] {
    return [...this.#open.values()].filter(({ n }) => !this.#underWay.has(n))
  }

  /** When the first open intent was due to leave; service time in milliseconds. */
  get since(): number {
    return this.#leaving.since(this.#open)
  }

  /** Numbers the intents. Returns the records that must be kept before any of them leaves. */
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

  /** Drops records that could not be kept: none of their requests has left. */
  forget(records: readonly IntentRecord[]): void {
    for (const { n } of records) {
      this.#open.delete(n)
      this.#underWay.delete(n)
    }
  }

  /** This command will not learn the outcome of the intent any more. */
  giveUp(n: number): void {
    this.#underWay.delete(n)
  }

  /** Applies what a record says about intents. */
  note(record: JournalRecord): void {
    note(this.#open, record)
    for (const n of numbersOf(record)) if (!this.#open.has(n)) this.#underWay.delete(n)
  }

  /** @throws RangeError if the intent is not open */
  requireOpen(n: number): void {
    if (!this.#open.has(n)) throw new RangeError(`the journal has no open intent ${n}`)
  }
}

/**
 * When the first of the open intents was due to leave. Kept up to date, because each answer asks for it, and
 * thousands of intents can be written ahead.
 */
class Leaving {
  /**
   * Whether the intents were due to leave in the order in which they were written down. True unless a clock was set
   * back.
   */
  #isInOrder = true
  #last = Number.NEGATIVE_INFINITY

  /** Adds an open intent; it is the last one. */
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
