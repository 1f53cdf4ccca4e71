import { type Static, Type } from 'typebox'
import { draft, record, resource } from './common.ts'

const process = {
  name: Type.String(),
  hostname: Type.String(),
  lastGoalVersionAchieved: Type.Number(),
  plan: Type.Array(Type.String()),
  errorCode: Type.Integer(),
  errorCodeDescription: Type.String(),
  errorCodeHumanReadable: Type.String(),
  errorString: Type.String(),
}

const AutomationStatus = record({ goalVersion: Type.Number(), processes: Type.Array(record(process)) })
/** The stored automation status of a project. */
export type AutomationStatus = Static<typeof AutomationStatus>

export const AutomationStatusDraft = draft({
  goalVersion: Type.Number(),
  processes: Type.Array(draft(process)),
})
export type AutomationStatusDraft = Static<typeof AutomationStatusDraft>

/** Endpoint 8. */
export const AutomationStatusResource = resource(
  { goalVersion: Type.Number(), processes: Type.Array(Type.Object(process)) },
  'AutomationStatus',
)
