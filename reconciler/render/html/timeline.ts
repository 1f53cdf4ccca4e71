import { whoIs } from '@deploymgmt/provider/words'
import { newestFirstBy } from '@deploymgmt/provider/engine'
import { instantOf, showDay, showInstant } from '../../text/instants.ts'
import { counted } from '../wording/sentences.ts'
import { clip } from '@deploymgmt/provider/core/text'
import { html, NOTHING, type Html } from './escape.ts'
import { shownAddress, type Row } from './table.ts'
import { momentOf } from './values.ts'

/** Something that events show, and its place in the page. */
export interface TimelineRow extends Pick<Row, 'address' | 'actor' | 'evidence'> {
  readonly anchor: string
  /** Set for a recorded thing: an apply has written it last, so earlier events are settled. */
  readonly isRecorded?: true
}

const SINCE =
  'For recorded things, this lists the events since the last write, without those that applies of this manifest caused.'

export const timelineRowsOf = (rows: readonly Row[], prefix: string): TimelineRow[] =>
  rows.map((row, index) => ({ ...row, anchor: `${prefix}${String(index)}`, isRecorded: true }))

interface Happened {
  readonly id: string
  readonly at: string
  readonly who: string
  readonly from: string | undefined
  readonly type: string
  readonly address: string
  readonly anchor: string
}

/** Up to this many are shown without opening a list. */
const FEW = 12
/** Dots that are closer than this share of the line are merged. */
const DOTS = 160

/** Events by who caused them, the busiest first: a line of dots, and a complete list. */
export const timelineSection = (rows: readonly TimelineRow[]): Html => {
  const events = eachOnce(rows.flatMap(eventsOf))
  if (events.length === 0) return NOTHING
  const byActor = [...Map.groupBy(events, ({ who }) => who)].toSorted(([, a], [, b]) => b.length - a.length)
  const instants = events.flatMap(({ at }) => instantOf(at) ?? [])
  const least = instants.reduce((a, b) => Math.min(a, b), Infinity)
  const span = { least, most: instants.reduce((a, b) => Math.max(a, b), least) }
  return html`<section id="timeline" aria-labelledby="timeline-title">
    <h2 id="timeline-title">Who did what, when</h2>
    <p class="lead">
      ${counted(events.length, 'event')} by ${counted(byActor.length, 'actor')} about what stands above.
      ${rows.some(({ isRecorded }) => isRecorded === true) ? SINCE : ''}
    </p>
    ${axisOf(span)}${byActor.map(([who, own]) => actorOf(who, own, span))}
  </section>`
}

/** A partly accepted thing is in two places, with the same events. */
const eachOnce = (events: readonly Happened[]): Happened[] =>
  [...Map.groupBy(events, ({ id, address }) => JSON.stringify([id, address])).values()].flatMap(
    ([first]) => first ?? [],
  )

const eventsOf = ({ address, anchor, actor, evidence: { events = [] } }: TimelineRow): Happened[] => {
  const seen = events.map((event) => ({ ...event, at: event.created }))
  const isAmong = events.some(({ id }) => id === actor?.eventId)
  const named = actor === undefined || isAmong ? [] : [{ ...actor, id: actor.eventId }]
  return [...named, ...seen].map((event) => ({
    id: event.id,
    at: event.at,
    who: whoIs(event),
    from: event.remoteAddress,
    type: event.eventTypeName,
    address,
    anchor,
  }))
}

interface Span {
  readonly least: number
  readonly most: number
}

const axisOf = ({ least, most }: Span): Html => {
  if (most <= least) return NOTHING
  const ends = [least, most].map((at) => new Date(at).toISOString())
  // If both ends are on one day, the day says nothing.
  const show = new Set(ends.map(showDay)).size === 1 ? showInstant : showDay
  return html`<p class="axis" aria-hidden="true">${ends.map((at) => html`<span>${show(at)}</span>`)}</p>`
}

const actorOf = (who: string, events: readonly Happened[], span: Span): Html => {
  const list = html`<ol>
    ${newestFirstBy(events, ({ at }) => at)
      .toReversed()
      .map(
        ({ at, type, address, anchor, from }) =>
          html` <li>
            ${momentOf(at)} <code>${clip(type, 80)}</code>
            <a href="#${anchor}">${shownAddress(address)}</a
            >${from === undefined ? NOTHING : html` <span class="id">from <bdi>${clip(from, 60)}</bdi></span>`}
          </li>`,
      )}
  </ol>`
  const title = html`<h3><bdi>${clip(who, 120)}</bdi> <span>${counted(events.length, 'event')}</span></h3>`
  const all =
    events.length <= FEW
      ? list
      : html`<details class="all">
          <summary>All ${counted(events.length, 'event')}</summary>
          ${list}
        </details>`
  return html`<div class="actor">${title}${dotsOf(events, span)}${all}</div>`
}

/** Positions are attributes of the drawing, because the page allows no inline styles. */
const dotsOf = (events: readonly Happened[], { least, most }: Span): Html => {
  if (most <= least) return NOTHING
  const counts = new Map<number, number>()
  for (const { at } of events) {
    const instant = instantOf(at)
    if (instant === undefined) continue
    const place = Math.round(((instant - least) / (most - least)) * DOTS)
    counts.set(place, (counts.get(place) ?? 0) + 1)
  }
  const dots = [...counts].map(
    ([place, count]) =>
      html`<circle
        cx="${((place / DOTS) * 98 + 1).toFixed(2)}%"
        cy="11"
        r="${Math.min(10, 4 + Math.log2(count)).toFixed(1)}"
      />`,
  )
  return html`<svg class="dots" height="22" width="100%" aria-hidden="true" focusable="false">
    <line x1="0" x2="100%" y1="11" y2="11" />
    ${dots}
  </svg>`
}
