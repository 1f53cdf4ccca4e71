import type { Bound } from '@deploymgmt/provider/engine'
import type { TypeOf } from '../../disk/check.ts'
import type { headerCheck, intentCheck, JournalRecord } from './shape.ts'

export type { JournalRecord } from './shape.ts'
export type JournalHeader = TypeOf<typeof headerCheck>
export type IntentRecord = TypeOf<typeof intentCheck>

/** An intent whose outcome nobody knows yet. */
export interface OpenIntent extends IntentRecord {
  /** Why it is not known, where an `unknown` record says so; absent after a kill. */
  error?: string
  /** When the command that sent it said so, by the same clock as `at`; ISO 8601. */
  errorAt?: string
  /** What it is taken to have made. */
  bound?: Bound
}

/** What a journal file holds. */
export interface JournalContents {
  path: string
  header: JournalHeader
  entries: JournalRecord[]
  /** Intents with neither answer nor refusal nor resolution. */
  openIntents: OpenIntent[]
  /** The last record was incomplete or damaged, and is left out. */
  droppedTail: boolean
  warnings: string[]
}
