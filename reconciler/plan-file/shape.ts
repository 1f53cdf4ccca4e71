import {
  ACTIONS,
  type Action,
  type Actor,
  type EventSeen,
  type Made,
  type RequestShape,
} from '@deploymgmt/provider/engine'
import type { About } from '../render/about.ts'
import type {
  PlanDocument,
  SaidChange,
  SaidEvidence,
  SaidField,
  SaidNeed,
  SaidToSettle,
  Summary,
} from '../render/document.ts'
import {
  anything,
  constant,
  flag,
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
  wordOf,
  type TypeOf,
} from '../disk/check.ts'

const texts = listOf(text)
/** How often each action is planned. */
const COUNTS = Object.fromEntries(ACTIONS.map((action) => [action, fromZero])) as Record<
  Action,
  typeof fromZero
>
const event = objectOf<EventSeen>({
  id: text,
  eventTypeName: text,
  created: instant,
  username: optional(text),
  publicKey: optional(text),
  remoteAddress: optional(text),
  mayBeOwn: optional(flag),
})

const evidence = objectOf<SaidEvidence>({
  level: wordOf<SaidEvidence['level']>({ read: null, recorded: null, suspect: null, unknown: null }),
  since: optional(instant),
  events: optional(listOf(event)),
  unsure: optional(texts),
  note: optional(text),
})

const actor = objectOf<Actor>({
  username: optional(text),
  publicKey: optional(text),
  at: instant,
  eventId: text,
  eventTypeName: text,
  remoteAddress: optional(text),
  confidence: wordOf<Actor['confidence']>({ high: null, medium: null, low: null }),
})

const need = objectOf<SaidNeed>({ flag: text, because: text, address: optional(text) })

const change = objectOf<SaidChange>({
  address: text,
  kind: text,
  action: wordOf(COUNTS),
  reasonCode: optional(text),
  reason: text,
  declaredAt: optional(text),
  before: orNull(values),
  after: orNull(values),
  fields: listOf(
    objectOf<SaidField>({ path: text, before: anything, after: anything, note: optional(text) }),
  ),
  evidence,
  actor: optional(actor),
  requests: listOf(
    objectOf<RequestShape>({
      method: wordOf<RequestShape['method']>({ GET: null, POST: null, PATCH: null, DELETE: null }),
      path: text,
    }),
  ),
  byHand: optional(text),
  from: optional(text),
  waitsFor: optional(texts),
  awaited: optional(texts),
  notes: optional(texts),
  needs: optional(listOf(need)),
  zones: optional(mapOf(text)),
})

const about = objectOf<About>({
  manifest: text,
  files: texts,
  declared: fromZero,
  baseUrl: text,
  publicKey: text,
  organizations: texts,
  projects: listOf(objectOf<About['projects'][number]>({ id: text, name: optional(text) })),
})

const document = objectOf<Omit<PlanDocument, 'saved'>>({
  formatVersion: constant(1),
  about: optional(about),
  inSync: flag,
  summary: objectOf<Summary>({ ...COUNTS, unverifiable: fromZero }),
  changes: listOf(change),
  needs: optional(listOf(need)),
  toBeSettled: optional(listOf(objectOf<SaidToSettle>({ address: text, reasonCode: text, reason: text }))),
  warnings: texts,
  strangers: optional(listOf(objectOf<Made>({ kind: text, identity: mapOf(text), at: instant }))),
  requestsSent: fromZero,
})

/** A saved plan: what was shown, and all that it was made from. Holds no secret: manifests hold references alone. */
export const savedPlanCheck = shapeOf({
  formatVersion: constant(1),
  savedPlan: constant(true),
  baseUrl: text,
  /** Service time as of which it was made: what time alone changes since is nobody's change. */
  now: instant,
  /** What the service said of itself. */
  serviceVersion: optional(text),
  /** The state file that it was made with, where that is not the usual one. */
  stateFile: optional(text),
  files: texts,
  vars: texts,
  target: texts,
  sources: listOf(shapeOf({ file: text, sha256: text })),
  state: shapeOf({ lineage: text, serial: fromZero, exists: flag }),
  document,
})

export type SavedPlan = TypeOf<typeof savedPlanCheck>
