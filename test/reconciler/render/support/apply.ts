import type {
  ApplyEvent,
  ApplyFinished,
  ApplySummary,
} from '../../../../reconciler/render/document/apply-events.ts'
import { renderApplyEvent } from '../../../../reconciler/render/terminal/apply-text.ts'
import type { ReportStyle } from '../../../../reconciler/render/document/reports.ts'
import { NOW, style } from './documents.ts'

export const finished = (given: Partial<ApplyFinished> & Pick<ApplyFinished, 'address'>): ApplyFinished => ({
  type: 'finished',
  action: 'create',
  status: 'done',
  notes: [],
  at: NOW.toISOString(),
  ...given,
})

export const summaryOf = (given: Partial<ApplySummary> = {}): ApplySummary => ({
  type: 'summary',
  formatVersion: 1,
  inSync: true,
  done: {},
  written: {},
  unchanged: 0,
  blocked: [],
  unverifiable: [],
  problems: [],
  warnings: [],
  requestsSent: 4,
  seconds: 1.25,
  exitCode: 0,
  ...given,
  byStatus: {
    done: 0,
    unsaved: 0,
    blocked: 0,
    failed: 0,
    unknown: 0,
    expired: 0,
    skipped: 0,
    ...given.byStatus,
  },
})

export const applyText = (document: ApplyEvent, given: Partial<ReportStyle> = {}): string =>
  renderApplyEvent({ document }, style(given)) ?? ''
