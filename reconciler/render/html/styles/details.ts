/** The part that opens below a row. */
export const DETAILS = `.details { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1.1rem 2rem; padding: 0.35rem 0 1.4rem; font-size: 0.9375rem; cursor: auto; }
.details > *, .details > .facts { grid-column: 1 / -1; }
.details > .way { grid-column: span 1; }
.details > .wide, .details > .way:has(+ .wide) { grid-column: 1 / -1; }
.details > p { max-width: 80ch; }
.details > .facts { border-top: 1px solid var(--line); padding-top: 0.8rem; font-size: 0.875rem; }
.details h3, .list .way h3 { font-size: 0.8125rem; font-weight: 600; color: var(--soft); margin-bottom: 0.3rem; }
.list .way { margin-top: 0.75rem; font-size: 0.9375rem; }
.details section > p + p { margin-top: 0.3rem; }
.fields { width: 100%; border-collapse: collapse; table-layout: fixed; font-size: 0.875rem; }
.fields th, .fields td { text-align: left; vertical-align: top; padding: 0.4rem 1rem 0.4rem 0; border-bottom: 1px solid var(--line); font-weight: 400; }
.fields thead th { color: var(--soft); font-size: 0.8125rem; padding-top: 0; }
.fields tbody th { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace; font-size: 0.8125rem; width: 28%; }
.fields th small { display: block; font-family: system-ui, sans-serif; }
.fields tbody .after { font-weight: 600; }
.items li { padding-left: 1.1em; position: relative; font-weight: 400; }
.items li::before { position: absolute; left: 0; font-weight: 700; }
.items .gone::before { content: '−' / 'removed:'; color: var(--bad); }
.items .come::before { content: '+' / 'added:'; color: var(--good); }
.items .gone, .items .gone del { color: var(--bad); text-decoration: none; }
.items .come, .items .come ins { color: var(--good); text-decoration: none; font-weight: 600; }
.long { display: block; max-height: 14rem; overflow: auto; border: 1px solid var(--line); border-radius: 6px; padding: 0.4rem 0.6rem; font-weight: 400; }
.events { margin-top: 0.4rem; font-size: 0.875rem; }
.events li { padding: 0.15rem 0; }
.occurrences { font-size: 0.875rem; }
.occurrences li { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.9rem; padding: 0.15rem 0; }
.copied { display: flex; align-items: flex-start; gap: 0.5rem; margin-top: 0.35rem; }
.copied pre { flex: 1; min-width: 0; overflow-x: auto; background: var(--ground); border: 1px solid var(--line); border-radius: 6px; padding: 0.5rem 0.75rem; line-height: 1.55; overflow-wrap: normal; }
.copied pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.copy { flex: none; font-size: 0.8125rem; padding: 0.3rem 0.6rem; }
pre .come { color: var(--good); }
pre .gone { color: var(--bad); }
pre .place { color: var(--soft); }
.request { display: block; }
@media screen and (max-width: 60rem) {
  .details { grid-template-columns: minmax(0, 1fr); font-size: 0.875rem; padding: 0.6rem 0 0.8rem; }
  .details > .facts { gap: 0.5rem 1.5rem; }
}
@media screen and (max-width: 34rem) {
  .fields, .fields thead, .fields tbody { display: block; }
  .fields tr { display: flex; flex-wrap: wrap; border-bottom: 1px solid var(--line); position: relative; }
  .fields tr > * { flex: 1 1 0; min-width: 0; border-bottom: 0; padding-right: 0.6rem; }
  .fields tbody th { flex-basis: 100%; padding-bottom: 0; }
  .fields thead th:first-child { position: absolute; clip-path: inset(50%); }
}`
