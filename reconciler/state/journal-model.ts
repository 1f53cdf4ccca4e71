import type { Effect, Intent, RecordedResource } from '@deploymgmt/provider/engine'

/** The first record: which state this journal continues. */
export interface JournalHeader {
  type: 'header'
  version: 1
  lineage: string
  serial: number
  /** sha256 (hex) of the state's canonical form: tells apart two histories with equal serials. */
  digest: string
  name: string
  baseUrl: string
  /** When the journal was begun; ISO 8601, local clock. */
  at: string
}

/** What a later run needs to tell what became of a write. */
export interface IntentDetail {
  /** The record that a success leads to. */
  expected: RecordedResource
  fields: readonly string[]
  /** Service time at which it was about to leave. */
  sentAt: string
  /** The public key that sent it. */
  by?: string | undefined
}

/** A write that is about to be sent. Durable before the request leaves; it never holds a secret. */
export interface IntentRecord {
  type: 'intent'
  /** The number that later records refer to; unique within the journal. */
  n: number
  address: string
  kind: string
  method: Intent['method']
  /** Relative to the base URL. */
  path: string
  body?: unknown
  detail: IntentDetail
  at: string
}

/** The service has answered, and this is what the answer changes. */
export interface AnswerRecord {
  type: 'answer'
  n: number
  at: string
  /** The HTTP status, where there was one. */
  status?: number
  outcome: 'done'
  effects: readonly Effect[]
}

/** The service has certainly not done it. */
export interface RefusedRecord {
  type: 'refused'
  n: number
  at: string
  error: string
}

/** Nobody knows whether the service has done it; the intent stays open. */
export interface UnknownRecord {
  type: 'unknown'
  n: number
  at: string
  error: string
}

/** An open intent has been settled, by evidence or by the user. */
export interface ResolvedRecord {
  type: 'resolved'
  n: number
  at: string
  how: string
  effects: readonly Effect[]
}

/** Changes that need no request: moved, forgotten, watermarks. */
export interface EffectsRecord {
  type: 'effects'
  at: string
  effects: readonly Effect[]
}

/**
 * Everything before this record is in the state with this serial and digest, which is about to be
 * saved. If that state reached the disk, only what follows is replayed; if not, everything is.
 */
export interface CommitRecord {
  type: 'commit'
  at: string
  serial: number
  digest: string
}

export type JournalRecord =
  | IntentRecord
  | AnswerRecord
  | RefusedRecord
  | UnknownRecord
  | ResolvedRecord
  | EffectsRecord
  | CommitRecord

/** An intent of which nobody knows yet what became of it. */
export interface OpenIntent extends IntentRecord {
  /** Why it is not known, where an `unknown` record says so; absent after a kill. */
  error?: string
  /** When that was said, by the local clock, as `at` is; ISO 8601. */
  errorAt?: string
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
