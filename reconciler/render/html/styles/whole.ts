/** The page around the table. */
export const WHOLE = `*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding: 4rem 0; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 400 0.9375rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif; overflow-wrap: anywhere; }
.top, main { max-width: 86rem; margin: 0 auto; padding: 0 2rem; }
main { padding-bottom: 4rem; }
p, h1, h2, h3, ul, ol, dl, dd, pre { margin: 0; padding: 0; }
ul, ol { list-style: none; }
bdi { unicode-bidi: isolate; }
code, pre, .mono, .at { font-family: ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'Liberation Mono', monospace; font-size: 0.8125rem; }
time, .when, b { font-variant-numeric: tabular-nums; }
a { color: var(--accent); text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
i { font-style: normal; color: var(--soft); }
small { font-size: 0.8125rem; color: var(--soft); }
button, input, select { font: inherit; color: inherit; }
button { cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 1rem; top: -4rem; padding: 0.5rem 1rem; background: var(--sheet); z-index: 3; }
.skip:focus { top: 0.5rem; }
section[tabindex]:focus { outline: none; }

.bar { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: 1rem; padding: 1.25rem 0 0; min-height: 3.25rem; }
.name { color: var(--soft); font-size: 0.875rem; letter-spacing: 0.01em; }
.name b { color: var(--ink); font-weight: 600; }
.theme { display: flex; gap: 2px; padding: 2px; border: 1px solid var(--line); border-radius: 999px; background: var(--sheet); }
.theme button { white-space: nowrap; border: 0; background: none; border-radius: 999px; padding: 0.2rem 0.75rem; font-size: 0.8125rem; color: var(--soft); }
.theme button[aria-pressed='true'] { background: var(--mute-ground); color: var(--ink); font-weight: 600; }
.verdict { display: flex; align-items: center; gap: 1.25rem; padding: 1.75rem 0 1.5rem; }
.verdict .symbol { flex: none; display: grid; place-items: center; width: 3.5rem; height: 3.5rem; border-radius: 50%; background: var(--tint); color: var(--tone); font-size: 1.75rem; font-weight: 600; line-height: 1; }
h1 { font-size: clamp(1.625rem, 1.2rem + 1.8vw, 2.375rem); line-height: 1.15; font-weight: 650; letter-spacing: -0.02em; text-wrap: balance; }
.lead { color: var(--soft); margin-top: 0.25rem; max-width: 90ch; text-wrap: pretty; }
.facts { display: flex; flex-wrap: wrap; gap: 0.75rem 2.5rem; }
.facts dt { color: var(--soft); font-size: 0.8125rem; }
.top .facts { padding: 1rem 0; border-top: 1px solid var(--line); }
.top .facts dd { font-weight: 550; }
.top .facts small { font-weight: 400; }

h2 { font-size: 1.1875rem; font-weight: 650; letter-spacing: -0.01em; line-height: 1.3; }
h3 { font-size: 0.9375rem; font-weight: 600; }
main > section { margin-top: 2.5rem; }
main > section:first-child, #report { margin-top: 0.75rem; }
.list > ul { margin-top: 0.75rem; border: 1px solid var(--line); border-left: 3px solid var(--tone); border-radius: 6px; background: var(--sheet); }
.list li { padding: 0.7rem 1rem; max-width: none; }
.list li + li { border-top: 1px solid var(--line); }
.pairs li { display: grid; grid-template-columns: minmax(7rem, 14rem) minmax(0, 1fr); gap: 0 1rem; align-items: baseline; }
.list li:target { background: var(--tint); }
.list.warn + .list, .list + #report { margin-top: 1.5rem; }
.note { color: var(--soft); font-size: 0.875rem; }
.empty { padding: 3rem 1rem; text-align: center; color: var(--soft); border: 1px dashed var(--line); border-radius: 8px; }
.empty button, .copy { border: 1px solid var(--line); background: var(--sheet); border-radius: 6px; padding: 0.15rem 0.6rem; color: var(--ink); }

.proportions { display: block; border-radius: 4px; overflow: hidden; }
.proportions rect { fill: var(--tone); stroke: var(--ground); stroke-width: 1; }
.tools { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.75rem 1.5rem; padding: 0.9rem 0 0.5rem; }
.marks { display: flex; flex-wrap: wrap; gap: 0.375rem; margin-left: -0.25rem; }
.marks li { padding: 0.25rem 0.5rem; }
.marks .switch { padding: 0; }
.marks button { border: 1px solid var(--line); border-radius: 999px; background: var(--sheet); padding: 0.25rem 0.8rem; }
.marks button:hover { border-color: var(--tone); }
.marks button[aria-pressed='true'] { background: var(--tint); border-color: var(--tone); color: var(--tone); }
.marks .symbol { color: var(--tone); font-weight: 700; display: inline-block; min-width: 0.9em; text-align: center; }
.marks b { font-weight: 650; }
.filters { display: flex; align-items: center; gap: 0.5rem; flex: 1 1 14rem; max-width: 24rem; }
.filters label { color: var(--soft); font-size: 0.875rem; white-space: nowrap; }
.filters input, .filters select { flex: 1; min-width: 0; width: 100%; border: 1px solid var(--field); border-radius: 6px; background: var(--sheet); padding: 0.35rem 0.6rem; }
.filters input::placeholder { color: var(--soft); opacity: 1; }
.filters .narrow { display: none; }
.told { color: var(--soft); font-size: 0.8125rem; min-height: 1.25rem; text-align: right; }

.axis { display: flex; justify-content: space-between; color: var(--soft); font-size: 0.8125rem; margin-top: 1rem; font-variant-numeric: tabular-nums; }
.actor { padding: 0.8rem 0 1rem; border-top: 1px solid var(--line); }
.axis + .actor { margin-top: 0.25rem; }
.lead + .rows { margin-top: 0.75rem; }
.lead + .actor { margin-top: 1rem; }
.actor h3 { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; }
.actor h3 span { color: var(--soft); font-weight: 400; font-size: 0.875rem; }
.dots { display: block; margin: 0.25rem 0; }
.dots line { stroke: var(--line); stroke-width: 2; }
.dots circle { fill: var(--accent); fill-opacity: 0.75; stroke: var(--ground); stroke-width: 1.5; }
.actor li { display: flex; flex-wrap: wrap; gap: 0 0.9rem; padding: 0.15rem 0; }
.all li { content-visibility: auto; contain-intrinsic-size: auto 1.6rem; }
.actor li code { color: var(--soft); }
.actor li a { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace; font-size: 0.8125rem; }
.actor summary { cursor: pointer; color: var(--accent); padding: 0.2rem 0; width: fit-content; }
.id { color: var(--soft); font-size: 0.8125rem; }`
