/**
 * The table. Its rows are grids, so that the browser can skip drawing off-screen rows (`content-visibility`), and so
 * that they fold into cards if there is little room.
 */
export const ROWS = `.rows { --signed: minmax(0, 1.45fr) minmax(0, 1.15fr); display: block; border: 1px solid var(--line); border-radius: 8px; background: var(--sheet); }
.rows.unsigned { --signed: ; }
.rows caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.rows > thead, .rows > tbody { display: block; }
.rows > thead { position: sticky; top: 0; z-index: 2; background: var(--sheet); border-bottom: 1px solid var(--line); border-radius: 8px 8px 0 0; }
.rows > thead > tr, .rows > tbody > tr { display: grid; grid-template-columns: minmax(0, 2.5fr) minmax(0, 1.9fr) minmax(0, 1.2fr) minmax(0, 1.3fr) minmax(0, 1.4fr) var(--signed); column-gap: 1rem; padding: 0 1rem 0 2.5rem; position: relative; }
.rows > thead th { text-align: left; font-size: 0.8125rem; font-weight: 550; color: var(--soft); padding: 0.55rem 0; }
.rows > thead th.open { position: absolute; }
.rows > thead button { border: 0; background: none; padding: 0.1rem 0.3rem; margin-left: -0.3rem; font-weight: 550; color: var(--soft); border-radius: 4px; }
.rows > thead button:hover { color: var(--ink); }
.rows > thead button::after { content: '' / ''; display: inline-block; width: 0.8em; margin-left: 0.25em; }
.rows > thead [aria-sort] button { color: var(--ink); }
.rows > thead [aria-sort='ascending'] button::after { content: '↑' / ''; }
.rows > thead [aria-sort='descending'] button::after { content: '↓' / ''; }

.rows > tbody > tr { content-visibility: auto; contain-intrinsic-size: auto 2.85rem; }
.rows > tbody > tr + tr { border-top: 1px solid var(--line); }
.rows > tbody > tr:last-child { border-radius: 0 0 8px 8px; }
.rows > tbody > tr:hover { background: var(--hover); }
.rows > tbody > tr:target { box-shadow: inset 3px 0 0 var(--accent); }
.rows > tbody > tr > * { padding: 0.6rem 0; text-align: left; font-weight: 400; font-size: 0.875rem; }
.rows > tbody > tr > .at { font-weight: 600; font-size: 0.8125rem; line-height: 1.6; }
.at span, .actor li a span, .mono span { color: var(--soft); font-weight: 400; }
.badge { display: inline-block; padding: 0.05rem 0.55rem 0.1rem 0.45rem; border-radius: 0.75rem; background: var(--tint); color: var(--tone); font-size: 0.8125rem; font-weight: 550; line-height: 1.4; }
.badge span { font-weight: 700; }
.rows .alone { grid-column: span 3; color: var(--soft); }
.rows .before { color: var(--soft); }
.rows > tbody > tr > .after { font-weight: 600; }
.rows .label { display: none; }
.rows .more { display: block; font-size: 0.8125rem; }
.rows .at .more { font-weight: 400; font-family: system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif; }
.rows .when { color: var(--soft); font-size: 0.875rem; }
.rows .nothing::before { content: '–' / ''; color: var(--soft); opacity: 0.6; }

.rows > tbody > tr > .open { grid-column: 1 / -1; padding: 0; }
.open summary { position: absolute; left: 0; top: 0; width: 2.5rem; height: 2.85rem; display: grid; place-items: center; cursor: pointer; list-style: none; color: var(--soft); }
.open summary::-webkit-details-marker { display: none; }
.open summary::before { content: '' / ''; width: 0.45rem; height: 0.45rem; border: solid currentColor; border-width: 0 2px 2px 0; transform: rotate(-45deg); transition: transform 0.12s; }
.open details[open] > summary::before { transform: rotate(45deg); }
.open summary:focus-visible { outline-offset: -4px; }
.open summary:hover { color: var(--ink); }
@media (prefers-reduced-motion: reduce) { .open summary::before { transition: none; } }

@media screen and (max-width: 60rem) {
  .top, main { padding-left: 1rem; padding-right: 1rem; }
  .verdict { gap: 1rem; padding: 1.25rem 0; }
  .verdict .symbol { width: 2.75rem; height: 2.75rem; font-size: 1.375rem; }
  .top .facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: 0.6rem 1.5rem; }
  .filters { flex: 1 1 100%; max-width: none; display: grid; grid-template-columns: auto minmax(0, 1fr); }
  .filters .narrow { display: block; }
  .told { text-align: left; }
  .rows > thead { display: none; }
  .rows > tbody > tr { grid-template-columns: minmax(0, 1fr) fit-content(40%); padding: 0.6rem 0.9rem 0.6rem 2.25rem; contain-intrinsic-size: auto 6rem; column-gap: 0.75rem; }
  .rows > tbody > tr > * { padding: 0.1rem 0; }
  .rows .is { grid-row: 1; grid-column: 2; }
  .rows .field, .rows .before, .rows .after, .rows .who, .rows .when, .rows .alone { grid-column: 1 / -1; }
  .rows .before, .rows .after { display: flex; gap: 0.6rem; }
  .rows .label { display: block; flex: 0 0 4.5rem; color: var(--soft); font-weight: 400; font-size: 0.8125rem; padding-top: 0.1rem; }
  .rows .field .more { display: inline; }
  .rows .after .more { display: none; }
  .rows .nothing { display: none; }
  .open summary { width: 2.25rem; height: 2.9rem; }
}`
