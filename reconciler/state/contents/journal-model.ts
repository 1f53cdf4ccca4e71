import type { Bound } from '@deploymgmt/provider/engine'
import type { TypeOf } from '../../disk/check.ts'
import type { headerCheck, intentCheck, JournalRecord } from './shape.ts'

export type { JournalRecord } from './shape.ts'
export type JournalHeader = TypeOf<typeof headerCheck>
export type IntentRecord = TypeOf<typeof intentCheck>

/** An intent whose outcome is not known yet. */
export interface OpenIntent extends IntentRecord {
  /** Why the outcome is unknown, if an `unknown` record says so; absent after a kill. */
  error?: string
  /** When the command that sent the intent reported that, by the same clock as `at`; ISO 8601. */
  errorAt?: string
  /** The thing that this creation is taken to have made. */
  bound?: Bound
}

/** What a journal file holds. */
export interface JournalContents {
  path: string
  header: JournalHeader
  entries: JournalRecord[]
  /** Intents without an answer, a refusal or a resolution. */
  openIntents: OpenIntent[]
  /** Whether the last record was incomplete or damaged, and was dropped. */
  droppedTail: boolean
  warnings: string[]
}
