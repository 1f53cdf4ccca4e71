import type { Effect, RecordedResource, WriteSpan } from '@deploymgmt/provider/engine'
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
  text,
  values,
  variantsOf,
  wordOf,
  type Check,
} from '../disk/check.ts'
import type {
  AnswerRecord,
  CommitRecord,
  EffectsRecord,
  IntentDetail,
  IntentRecord,
  JournalHeader,
  JournalRecord,
  RefusedRecord,
  ResolvedRecord,
  UnknownRecord,
} from './journal-model.ts'
import type { StateFile } from './model.ts'

const url: Check<string> = expecting('a URL', (value) => typeof value === 'string' && URL.canParse(value))

const span = objectOf<WriteSpan>({
  from: instant,
  to: instant,
  // States of an earlier version have none.
  by: optional(text),
  sent: listOf(listOf(text)),
})

const resource = objectOf<RecordedResource>({
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
  acknowledged: optional(listOf(text)),
  leftover: optional(values),
  unsure: optional(listOf(text)),
  absent: optional(flag),
  standing: optional(flag),
})

/** A state of format version 1. */
export const stateCheck = objectOf<StateFile>({
  version: constant(1),
  name: filled,
  baseUrl: url,
  lineage: filled,
  serial: fromOne,
  resources: mapOf(resource),
})

export const headerCheck = objectOf<JournalHeader>({
  type: constant('header'),
  version: constant(1),
  lineage: filled,
  serial: fromZero,
  digest: text,
  name: filled,
  baseUrl: text,
  at: instant,
})

type EffectOf<O extends Effect['op']> = Extract<Effect, { readonly op: O }>

const effects = listOf(
  variantsOf<'op', Effect>('op', {
    put: objectOf<EffectOf<'put'>>({ op: constant('put'), address: text, resource }),
    drop: objectOf<EffectOf<'drop'>>({ op: constant('drop'), address: text }),
    move: objectOf<EffectOf<'move'>>({ op: constant('move'), from: text, to: text }),
  }),
)

const numbered = { n: fromZero, at: instant }

export const recordCheck = variantsOf<'type', JournalRecord>('type', {
  intent: objectOf<IntentRecord>({
    type: constant('intent'),
    ...numbered,
    address: text,
    kind: text,
    method: wordOf({ POST: null, PATCH: null, DELETE: null }),
    path: text,
    body: optional(anything),
    detail: objectOf<IntentDetail>({
      expected: resource,
      fields: listOf(text),
      sentAt: instant,
      by: optional(text),
    }),
  }),
  answer: objectOf<AnswerRecord>({
    type: constant('answer'),
    ...numbered,
    status: optional(fromZero),
    outcome: constant('done'),
    effects,
  }),
  refused: objectOf<RefusedRecord>({ type: constant('refused'), ...numbered, error: text }),
  unknown: objectOf<UnknownRecord>({ type: constant('unknown'), ...numbered, error: text }),
  resolved: objectOf<ResolvedRecord>({ type: constant('resolved'), ...numbered, how: text, effects }),
  effects: objectOf<EffectsRecord>({ type: constant('effects'), at: instant, effects }),
  commit: objectOf<CommitRecord>({ type: constant('commit'), at: instant, serial: fromZero, digest: text }),
})
