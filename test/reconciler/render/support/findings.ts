import type { ReportedUnmanaged } from '../../../../reconciler/render/document/drift-model.ts'
import { PROJECT, resource } from './documents.ts'

/** What drift reports contain, in tests and on the pages made from them. */

export const disk = resource({
  address: 'alertConfigurations.disk',
  kind: 'alert_configuration',
  verdict: 'drifted',
  declaredAt: 'deploymgmt.yaml:35:3',
  reasonCode: 'not-as-applied',
  fields: [{ path: 'enabled', before: true, after: false }],
  acceptance: {
    reason: 'the disk is replaced in December',
    until: '2026-12-31',
    at: 'deploymgmt.accepted.yaml:8:5',
  },
})

export const unseen = resource({
  address: 'apiKeys.reporting',
  kind: 'api_key',
  verdict: 'unverifiable',
  declaredAt: 'deploymgmt.yaml:12:3',
  reasonCode: 'no-endpoint-shows-it',
  reason: 'No endpoint shows it. No event about it since.',
  evidence: { level: 'recorded', since: '2026-11-02T08:00:00Z' },
})

export const chat = resource({
  address: 'integrations.chat',
  verdict: 'in-sync',
  declaredAt: 'deploymgmt.yaml:45:3',
  reasonCode: 'as-applied',
  reason: 'live is what was last applied',
})

/** A window that nobody declares. */
export const window = (id: string, given: Partial<ReportedUnmanaged> = {}): ReportedUnmanaged => ({
  kind: 'maintenance_window',
  section: 'maintenanceWindows',
  identity: { projectId: PROJECT, id },
  what: 'turns off HOST until 2027-11-20',
  seenIn: 'events',
  actor: {
    username: 'sam@example.com',
    at: '2026-11-18T08:00:00Z',
    eventId: '5dd42a80a11b3a0c5f5a1c03',
    eventTypeName: 'MAINTENANCE_WINDOW_CREATED_AUDIT',
    confidence: 'high',
  },
  isMaker: true,
  ...given,
})
