import { createHash } from 'node:crypto'
import { number } from '../../text/number.ts'
import { factList, type Fact } from './details.ts'
import { html, Html, NOTHING } from './escape.ts'
import type { Mark, Tone } from './marks.ts'
import { SCRIPT } from './script.ts'
import { STYLES } from './styles.ts'
import { tableOf, type Row, type Shown } from './table.ts'
import { timelineSection, timelineRowsOf, type TimelineRow } from './timeline.ts'

export interface Count {
  readonly mark: Mark
  readonly count: number
}

/** The common parts of both reports, in the order of the page. */
export interface Page {
  readonly title: string
  readonly command: string
  readonly tone: Tone
  readonly symbol: string
  /** The verdict, in words. */
  readonly verdict: string
  readonly lead: string
  readonly facts: readonly Fact[]
  readonly counts: readonly Count[]
  readonly rows: readonly Row[]
  readonly shown: Shown
  readonly caption: string
  /** Shown in place of an empty table. */
  readonly empty: string
  readonly before: readonly Html[]
  readonly after: readonly Html[]
  /** What events show besides the rows. */
  readonly timeline: readonly TimelineRow[]
}

const PREFIX = 'row-'

const hashOf = (source: string): string => `'sha256-${createHash('sha256').update(source).digest('base64')}'`

/** Nothing is loaded or run except what is in the page: the service's text stays text, whatever it looks like. */
const POLICY = [
  "default-src 'none'",
  `script-src ${hashOf(SCRIPT)}`,
  `style-src ${hashOf(STYLES)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

/** A self-contained file: it requests nothing, and is complete without scripts. */
export const pageOf = (page: Page): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${new Html(POLICY)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>${page.title}</title>
        ${new Html(`<style>${STYLES}</style>`)} ${new Html(`<script>${SCRIPT}</script>`)}
      </head>
      <body>
        <a class="skip" href="#report">Skip to the table</a>
        ${headerOf(page)}
        <main>
          ${page.before} ${reportOf(page)} ${page.after}
          ${timelineSection([...timelineRowsOf(page.rows, PREFIX), ...page.timeline])}
        </main>
      </body>
    </html>`.markup

const headerOf = ({ command, tone, symbol, verdict, lead, facts }: Page): Html =>
  html`<header class="top">
    <div class="bar">
      <p class="name">deploymgmt <b>${command}</b></p>
      <div id="theme" class="theme" role="group" aria-label="Colours" hidden>
        <button type="button" data-theme="auto" aria-pressed="true">Auto</button
        ><button type="button" data-theme="light" aria-pressed="false">Light</button
        ><button type="button" data-theme="dark" aria-pressed="false">Dark</button>
      </div>
    </div>
    <div class="verdict ${tone}">
      <span class="symbol" aria-hidden="true">${symbol}</span>
      <div>
        <h1>${verdict}</h1>
        ${lead === '' ? NOTHING : html`<p class="lead">${lead}</p>`}
      </div>
    </div>
    ${factList(facts)}
  </header>`

const reportOf = ({ counts, rows, shown, caption, empty }: Page): Html => {
  if (rows.length === 0)
    return html`<section id="report" tabindex="-1" class="empty"><p>${empty}</p></section>`
  return html`<section id="report" tabindex="-1" aria-labelledby="report-title">
    <h2 id="report-title" class="hidden">${caption}</h2>
    ${proportions(counts)}
    <div class="tools">
      <ul id="marks" class="marks" aria-label="How many of each">
        ${counts.map((count) => countItem(count, rows))}
      </ul>
      <div id="filters" class="filters" hidden>
        <label for="filter">Filter</label
        ><input
          id="filter"
          type="search"
          placeholder="address, field, value, name"
          autocomplete="off"
          spellcheck="false"
        /><label class="narrow" for="sort">Sort by</label
        ><select id="sort" class="narrow"></select>
      </div>
    </div>
    <p id="told" class="told" role="status"></p>
    ${tableOf(rows, shown, { id: 'rows', caption, prefix: PREFIX })}
    <p id="none" class="empty" hidden>
      No row has all of these words. <button type="button" id="clear">Show all</button>
    </p>
  </section>`
}

const countItem = ({ mark, count }: Count, rows: readonly Row[]): Html => {
  const isListed = rows.some((row) => row.mark.key === mark.key)
  return html`<li class="${mark.tone}" ${isListed ? html` data-mark="${mark.key}"` : NOTHING}>
    <span class="symbol" aria-hidden="true">${mark.symbol}</span> <b>${number(count)}</b> ${mark.label}
  </li>`
}

/** The smallest visible share of the width. */
const SEEN = 0.6

/** The proportions of the counts, as decoration. */
const proportions = (counts: readonly Count[]): Html => {
  const all = counts.reduce((sum, { count }) => sum + count, 0)
  const shares = counts.map(({ mark, count }) => ({ mark, share: Math.max(SEEN, (100 * count) / all) }))
  const whole = shares.reduce((sum, { share }) => sum + share, 0)
  let x = 0
  const parts = shares.map(({ mark, share }) => {
    const part = html`<rect
      class="${mark.tone}"
      x="${x.toFixed(2)}%"
      width="${((100 * share) / whole).toFixed(2)}%"
      height="8"
    />`
    x += (100 * share) / whole
    return part
  })
  return html`<svg class="proportions" width="100%" height="8" aria-hidden="true" focusable="false">
    ${parts}
  </svg>`
}
