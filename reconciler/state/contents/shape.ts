import { isObject } from '@deploymgmt/provider/core'
import type {
  EarlierWrite,
  Effect,
  Intent,
  Learnt,
  Made,
  Quiet,
  RecordedResource,
  WriteSpan,
} from '@deploymgmt/provider/engine'
import {
  anything,
  constant,
  expecting,
  filled,
  flag,
  fromOne,
  fromZero,
  instant,
  listOf,
  mapOf,
  objectOf,
  optional,
  orNull,
  shapeOf,
  text,
  values,
  variantsOf,
  wordOf,
  type Check,
  type TypeOf,
} from '../../disk/check.ts'
import type { PendingSince, StateFile } from './model.ts'
import { ofItsKind } from './record-check.ts'

const url: Check<string> = expecting('a URL', (value) => typeof value === 'string' && URL.canParse(value))

const span = objectOf<WriteSpan>({
  from: instant,
  to: instant,
  by: text,
  sent: listOf(listOf(text)),
  isTwice: optional(flag),
  isAccepted: optional(flag),
})

const anyResource = objectOf<RecordedResource>({
  kind: filled,
  identity: mapOf(text),
  applied: values,
  answer: orNull(values),
  beside: optional(mapOf(listOf(anything))),
  adopted: orNull(values),
  onRemove: text,
  protect: optional(flag),
  lastWrite: orNull(span),
  watermark: instant,
  quiet: optional(
    objectOf<Quiet>({ upTo: instant, orgs: listOf(text), watermark: instant, written: optional(instant) }),
  ),
  acknowledged: optional(listOf(text)),
  leftover: optional(values),
  overridden: optional(values),
  unsure: optional(listOf(text)),
  lost: optional(listOf(values)),
  notFoundAt: optional(instant),
  absent: optional(flag),
  standing: optional(flag),
})

const resource: Check<RecordedResource> = (value, at) => anyResource(value, at) ?? ofItsKind(value, at)

const learnt = objectOf<Learnt>({ serviceVersion: optional(text) })

/** A write of ours to a thing that is not recorded. */
const earlierWrite = { kind: filled, identity: mapOf(text), lastWrite: span }

/** A known thing that is not recorded. */
const made = {
  kind: filled,
  identity: mapOf(text),
  at: instant,
  from: optional(text),
  until: optional(text),
}

/** A state of format version 1. */
export const stateCheck = objectOf<StateFile>({
  version: constant(1),
  name: filled,
  baseUrl: url,
  lineage: filled,
  serial: fromOne,
  learnt: optional(mapOf(learnt)),
  resources: mapOf(resource),
  unrecorded: optional(listOf(objectOf<EarlierWrite>(earlierWrite))),
  known: optional(listOf(objectOf<Made>(made))),
  compared: optional(mapOf(instant)),
  pending: optional(objectOf<PendingSince>({ since: instant, left: optional(mapOf(instant)) })),
  projects: optional(mapOf(text)),
  files: optional(listOf(text)),
})

/** The first record of a journal: the state that it continues. */
export const headerCheck = shapeOf({
  type: constant('header'),
  version: constant(1),
  lineage: filled,
  serial: fromZero,
  /** sha256 (hex) of the canonical form of the state: distinguishes two histories with equal serials. */
  digest: text,
  name: filled,
  baseUrl: text,
  /** When the journal was started; ISO 8601, local clock. */
  at: instant,
})

type EffectOf<O extends Effect['op']> = Extract<Effect, { readonly op: O }>

const ops = {
  put: objectOf<EffectOf<'put'>>({ op: constant('put'), address: text, resource }),
  drop: objectOf<EffectOf<'drop'>>({ op: constant('drop'), address: text, lastWrite: optional(span) }),
  move: objectOf<EffectOf<'move'>>({ op: constant('move'), from: text, to: text }),
  wrote: objectOf<EffectOf<'wrote'>>({ op: constant('wrote'), ...earlierWrite }),
  disown: objectOf<EffectOf<'disown'>>({ op: constant('disown'), ...made }),
}

const effects = listOf(variantsOf<'op', Effect>('op', ops))

/** `n` is the number of the intent, unique within the journal; later records refer to it. */
const numbered = { n: fromZero, at: instant }

/** A write that is about to be sent. Durable before the request leaves; never contains a secret. */
export const intentCheck = shapeOf({
  type: constant('intent'),
  ...numbered,
  address: text,
  kind: text,
  method: wordOf<Intent['method']>({ POST: null, PATCH: null, DELETE: null }),
  /** Relative to the base URL. */
  path: text,
  body: optional(anything),
  /** What a later run needs to find out what became of the write. */
  detail: shapeOf({
    /** The record that a success results in. */
    expected: resource,
    fields: listOf(text),
    /** Service time at which the request was about to leave. */
    sentAt: instant,
    /** The public key that sent the request. */
    by: text,
  }),
})

/** The service has answered; `effects` are the changes that follow from the answer. */
const answer = shapeOf({
  type: constant('answer'),
  ...numbered,
  /** The HTTP status, if there was one. */
  status: optional(fromZero),
  outcome: constant('done'),
  effects,
  /** Earlier intents for the same thing that this answer settles as well. */
  closes: optional(listOf(fromZero)),
})

/** The service has certainly not carried out the request. */
const refused = shapeOf({ type: constant('refused'), ...numbered, error: text })

/** The request never left. */
const withdrawn = shapeOf({ type: constant('withdrawn'), ...numbered })

/** It is unknown whether the service has carried out the request; the intent stays open. */
const unknown = shapeOf({ type: constant('unknown'), ...numbered, error: text })

/**
 * Which thing each of these creations is taken to have made, permanently; durable before any of the things is asked.
 * `denied`: the thing has answered that it is another one.
 */
const bound = shapeOf({
  type: constant('bound'),
  at: instant,
  pairs: listOf(shapeOf({ n: fromZero, id: text, denied: optional(flag) })),
})

/** Open intents that were settled together, by evidence or by a person. */
const settled = shapeOf({
  type: constant('settled'),
  at: instant,
  of: listOf(shapeOf({ n: fromZero, how: text })),
  effects,
})

/** Changes without a request: moved, forgotten, watermarks. */
const effectsAlone = shapeOf({ type: constant('effects'), at: instant, effects })

/** What an answer has shown of the service. */
const learntRecord = shapeOf({ type: constant('learnt'), at: instant, kind: text, fact: learnt })

/**
 * Everything before this record is in the state with this serial and digest, which is about to be saved. If that
 * state has reached the disk, only later records are replayed; otherwise all are.
 */
const commit = shapeOf({ type: constant('commit'), at: instant, serial: fromZero, digest: text })

const records = {
  intent: intentCheck,
  answer,
  refused,
  withdrawn,
  unknown,
  bound,
  settled,
  effects: effectsAlone,
  learnt: learntRecord,
  commit,
}

export type JournalRecord = TypeOf<(typeof records)[keyof typeof records]>

export const recordCheck = variantsOf<'type', JournalRecord>('type', records)

/**
 * The type of a record, or of one of its effects, that this version does not know. A checksum proves that a line is
 * as it was written, so a later version wrote it.
 */
export const wordOfLaterVersion = (record: unknown): string | undefined => {
  if (!isObject(record)) return undefined
  const { type, effects: listed } = record
  if (typeof type === 'string' && !Object.hasOwn(records, type)) return type
  const told = Array.isArray(listed) ? listed.map((effect: unknown) => isObject(effect) && effect['op']) : []
  return told.find((op): op is string => typeof op === 'string' && !Object.hasOwn(ops, op))
}
