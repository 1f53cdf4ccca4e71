import { isUnverifiable, type Action, type Verdict } from '@deploymgmt/provider/engine'
import { MARKS } from '../../text/style.ts'
import type { ReportedChange } from '../document/plan-model.ts'
import { type ReportedDrift, isGone, isPerhaps } from '../document/drift-model.ts'
import { isActing, isWrite, toDo, TO_DO, type Acting } from '../wording/effects.ts'
import { html, type Html } from './escape.ts'

/** The meaning of a colour; a symbol and a word are always beside it. */
export type Tone = 'bad' | 'warn' | 'doubt' | 'good' | 'info' | 'mute'

/** A verdict or an action as a row shows it; `rank` orders them in a table. */
export interface Mark {
  readonly key: string
  readonly symbol: string
  readonly label: string
  readonly tone: Tone
  readonly rank: number
  /** Whether its details are printed on paper, because somebody has to do or know something. */
  readonly counts: boolean
}

const markOf = (key: string, mark: Omit<Mark, 'key' | 'counts'> & Partial<Pick<Mark, 'counts'>>): Mark => ({
  key,
  counts: true,
  ...mark,
})

export const DRIFT_MARKS: Readonly<Record<Verdict | 'gone' | 'perhaps' | 'late' | 'accepted', Mark>> = {
  // Severity does not follow from the verdict: drifted rows are in the order of `worstFirst`.
  gone: markOf('gone', { rank: 0, symbol: '∅', label: 'gone', tone: 'bad' }),
  drifted: markOf('drifted', { rank: 0, symbol: '≠', label: 'drifted', tone: 'bad' }),
  perhaps: markOf('perhaps', { rank: 0, symbol: '≟', label: 'perhaps drifted', tone: 'warn' }),
  late: markOf('late', { rank: 1, symbol: '‼', label: 'late', tone: 'bad' }),
  pending: markOf('pending', { rank: 2, symbol: '…', label: 'pending', tone: 'warn' }),
  unverifiable: markOf('unverifiable', { rank: 3, symbol: '?', label: 'not verifiable', tone: 'doubt' }),
  accepted: markOf('accepted', { rank: 4, symbol: '≠', label: 'accepted', tone: 'mute' }),
  'in-sync': markOf('in-sync', { rank: 5, symbol: '✓', label: 'in sync', tone: 'good', counts: false }),
}

export const driftMark = (drift: ReportedDrift): Mark => {
  const { verdict, isLate } = drift
  if (verdict === 'drifted' && isGone(drift)) return DRIFT_MARKS.gone
  if (isPerhaps(drift)) return DRIFT_MARKS.perhaps
  return DRIFT_MARKS[verdict === 'pending' && isLate === true ? 'late' : verdict]
}

const TONES: Readonly<Record<Acting, Tone>> = {
  create: 'good',
  adopt: 'info',
  update: 'warn',
  moved: 'info',
  delete: 'bad',
  release: 'bad',
}
const ORDER: readonly Action[] = ['delete', 'release', 'update', 'create', 'adopt', 'moved']

const actingMark = (action: Acting, change: ReportedChange): Mark => {
  const isOther = isWrite(change) && 'writing' in TO_DO[action]
  const rank = 1 + ORDER.indexOf(action) + (isOther ? 0 : 0.5)
  const { symbol } = MARKS[action]
  const way = change.onRemove === undefined ? '' : `-${change.onRemove}`
  const key = isOther ? `${action}${way}-writes` : action
  return markOf(key, { rank, symbol, label: toDo(change), tone: TONES[action] })
}

const RESTING = {
  blocked: markOf('blocked', { rank: 0, symbol: '!', label: 'blocked', tone: 'warn' }),
  unverifiable: markOf('unverifiable', { rank: 20, symbol: '?', label: 'not verifiable', tone: 'doubt' }),
  expired: markOf('expired', { rank: 21, symbol: '·', label: 'expired', tone: 'mute', counts: false }),
  unchanged: markOf('unchanged', { rank: 22, symbol: '✓', label: 'in sync', tone: 'good', counts: false }),
} as const

export const planMark = (change: ReportedChange): Mark => {
  if (isUnverifiable(change)) return RESTING.unverifiable
  const { action } = change
  return isActing(action) ? actingMark(action, change) : RESTING[action]
}
export const UNCHANGED: Mark = RESTING.unchanged

/** The symbol is decorative: the word says the same. */
export const badge = ({ symbol, label, tone }: Mark): Html =>
  html`<span class="badge ${tone}"><span aria-hidden="true">${symbol}</span> ${label}</span>`
