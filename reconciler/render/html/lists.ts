import { kindWords } from '@deploymgmt/provider/core'
import { capitalized, clip } from '@deploymgmt/provider/core/text'
import type { Actor, Made } from '@deploymgmt/provider/engine'
import { SURENESS, whoIs } from '@deploymgmt/provider/words'
import { identityWords } from '../document/about.ts'
import { belowGate, sayGate } from '../wording/gates.ts'
import { originSteps, rankSentences } from '../wording/explained.ts'
import { isNews, type DriftDocument, type ReportedUnmanaged } from '../document/drift-model.ts'
import type { ReportedGate } from '../document/plan-model.ts'
import type { ReportedNeed, ReportedToSettle } from '../document/reported.ts'
import { isWorst } from '../document/worst-first.ts'
import type { ReportedExplained } from '../document/explained.ts'
import { alsoDid, didOf, strangeThing } from '../wording/sentences.ts'
import { unmanagedWays } from '../wording/way-lines.ts'
import { wayOut } from './details.ts'
import { html, NOTHING, type Html } from './escape.ts'
import { shownAddress } from './table.ts'
import type { TimelineRow } from './timeline.ts'
import { momentOf, scrolling, timeOf } from './values.ts'
import { fromWhere } from './who.ts'
import { TO_BE_SETTLED } from '../wording/to-settle.ts'

/** A section with a title; empty if it has no items. */
const listOf = (title: string, tone: string, lead: string, items: readonly Html[]): Html =>
  items.length === 0
    ? NOTHING
    : html`<section class="list ${tone}">
        <h2>${title}</h2>
        ${lead === '' ? NOTHING : html`<p class="lead">${lead}</p>`}
        <ul>
          ${items}
        </ul>
      </section>`

export const warningList = (warnings: readonly string[]): Html =>
  listOf(
    'Warnings',
    'warn',
    '',
    warnings.map((warning) => html`<li>${scrolling(warning)}</li>`),
  )

export const findingList = (findings: readonly string[]): Html =>
  listOf(
    'What was found',
    'bad',
    '',
    findings.map((finding) => html`<li>${scrolling(finding)}</li>`),
  )

export const toSettleList = (toSettle: readonly ReportedToSettle[] = []): Html =>
  listOf(
    capitalized(TO_BE_SETTLED),
    'warn',
    'Requests whose outcome is unknown, until an apply has settled them.',
    toSettle.map(
      ({ address, reason }) =>
        html`<li><b class="mono">${shownAddress(address)}</b> ${scrolling(reason)}</li>`,
    ),
  )

export const needList = (needs: readonly ReportedNeed[] = []): Html =>
  listOf(
    'Needed to apply',
    'warn',
    'Apply refuses the whole plan without these flags.',
    needs.map(({ flag, because }) => html`<li><code>${flag}</code>: ${scrolling(because)}</li>`),
  )

export const gateList = (gates: readonly ReportedGate[] = []): Html =>
  listOf(
    'Gates',
    gates.some(({ open }) => !open) ? 'warn' : 'info',
    'Conditions on the projects that are changed. Apply refuses to change one with a closed gate.',
    gates.map(
      (said) =>
        html`<li>
          ${scrolling(sayGate(said))} ${belowGate(said).map((text) => html`<p>${scrolling(text)}</p>`)}
        </li>`,
    ),
  )

export const strangerList = (strangers: readonly Made[] = [], names: Names): Html =>
  listOf(
    'Made by this key, but not recorded',
    'warn',
    'Events show them. Nothing more of their kind is created in their projects until they are adopted or disowned.',
    strangers.map(
      ({ kind, identity, at }) =>
        html`<li><b>${kindWords(kind)}</b> ${identityOf(identity, names)} ${momentOf(at)}</li>`,
    ),
  )

/** The origins of an entry's values; empty if not requested. */
export const explainedOf = (explained: ReportedExplained | undefined): Html =>
  explained === undefined
    ? NOTHING
    : listOf(
        `Where the values of ${clip(explained.address, 140)} come from`,
        'info pairs',
        ['First what sets the value, then what that refers to.', ...rankSentences(explained)].join(' '),
        explained.values.map(
          ({ field, from }) =>
            html`<li>
              <b class="mono"><bdi>${field}</bdi></b>
              <span
                >${scrolling(
                  originSteps(from)
                    .map(({ joint, text }) => joint + text)
                    .join(''),
                )}</span
              >
            </li>`,
        ),
      )

/** Unmanaged things: the worst, then the others, with known ones separately. */
export const unmanagedList = (
  { unmanaged = [], about }: Pick<DriftDocument, 'unmanaged' | 'about'>,
  names: Names,
): { readonly first: Html; readonly others: Html } => {
  const items = unmanaged.map((thing, index) => ({ thing, item: unmanagedItem(thing, index, names) }))
  const those = (are: (thing: ReportedUnmanaged) => boolean): Html[] =>
    items.flatMap(({ thing, item }) => (are(thing) ? [item] : []))
  const lead = `It exists, but no manifest declares it: ${unmanagedWays(about)}.`
  const news = those((thing) => isNews(thing) && !isWorst(thing))
  const known = those((thing) => !isNews(thing))
  return {
    first: listOf(
      'Unmanaged and serious',
      'warn',
      lead,
      those((thing) => isNews(thing) && isWorst(thing)),
    ),
    others: html`${listOf('Unmanaged', 'info', lead, news)}${listOf('Unmanaged, and known', 'mute', 'The manifest names them with a reason; they do not count.', known)}`,
  }
}

const anchorOf = (index: number): string => `unmanaged-${String(index)}`

/** For the timeline. */
export const timelineRowsOfUnmanaged = (unmanaged: readonly ReportedUnmanaged[]): TimelineRow[] =>
  unmanaged.flatMap((thing, index) =>
    actorsOf(thing).map(({ actor }) => ({
      address: `${thing.section}: ${strangeThing(thing)}`,
      anchor: anchorOf(index),
      actor,
      evidence: { level: 'read' },
    })),
  )

/** Everybody who changed it, with what they did as words before their names. */
const actorsOf = (thing: ReportedUnmanaged): { readonly did: string; readonly actor: Actor }[] => {
  const { actor, changedBy = [] } = thing
  if (actor === undefined) return []
  return [
    { did: `${didOf(thing)} ${SURENESS[actor.confidence].by}`, actor },
    ...changedBy.map((each) => ({ did: alsoDid(thing), actor: each })),
  ]
}

const unmanagedItem = (thing: ReportedUnmanaged, index: number, names: Names): Html => {
  const { section, identity, seenIn, ignored, ignoredBefore } = thing
  const told = seenIn === 'events' ? html` <i>known from events only</i>` : NOTHING
  const by = actorsOf(thing).map(
    ({ did, actor }) =>
      html`<p class="note">
        ${did} <bdi>${clip(whoIs(actor), 60)}</bdi>${fromWhere(actor)}, ${momentOf(actor.at)},
        <code>${actor.eventTypeName}</code>
      </p>`,
  )
  const why =
    ignored === undefined
      ? NOTHING
      : html`<p class="note">${scrolling(ignored.reason)}${until(ignored.until)}</p>`
  const before =
    ignoredBefore === undefined
      ? NOTHING
      : html`<p class="note">
          No longer known, its time is over: ${scrolling(ignoredBefore.reason)}${until(ignoredBefore.until)}
        </p>`
  // Silenced alerts cannot wait.
  const ways =
    thing.silences === true
      ? html`${wayOut('Declare it', thing.declare)}${wayOut('Leave it', thing.leave)}`
      : NOTHING
  return html`<li id="${anchorOf(index)}" tabindex="-1">
    <b class="mono"><bdi>${section}</bdi></b> ${scrolling(strangeThing(thing))}${told}
    <p class="note">${identityOf(identity, names)}</p>
    ${by}${why}${before}${ways}
  </li>`
}

export const until = (last: string | undefined): Html =>
  last === undefined ? NOTHING : html`, until ${timeOf(last)}`

/** What people call projects. */
type Names = ReadonlyMap<string, string>

export const identityOf = (identity: Readonly<Record<string, string>>, names: Names): Html =>
  html`${identityWords(identity, names).map(
    (words, index) => html`${index === 0 ? '' : ' · '}${scrolling(words)}`,
  )}`
