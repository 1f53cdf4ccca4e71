/** On paper, important details are open, nothing is cut off, and controls are hidden. */
export const PAPER = `@media print {
  @page { margin: 14mm 12mm; }
  html { font-size: 72%; }
  body { background: none; }
  .top, main { max-width: none; padding: 0; }
  .bar { padding: 0; min-height: 0; }
  .theme, .filters, .skip, .copy, .empty button { display: none; }
  .verdict { padding: 0.75rem 0; }
  .badge, .verdict .symbol, .marks button, .proportions, .dots { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .marks { margin-left: 0; }
  .marks li, .marks button { border-color: transparent; background: none; padding: 0 0.75rem 0 0; }
  .rows:not(.unsigned) { --signed: minmax(0, 1.6fr) minmax(0, 1.25fr); }
  .rows { border: 0; border-top: 1px solid var(--line); border-radius: 0; }
  .rows > thead { display: block; position: static; }
  .rows > thead button::after { display: none; }
  .rows > thead > tr, .rows > tbody > tr { grid-template-columns: minmax(0, 2.5fr) minmax(0, 1.7fr) minmax(0, 1.25fr) minmax(0, 1.4fr) minmax(0, 1.4fr) var(--signed); padding: 0; column-gap: 0.6rem; }
  .rows > tbody > tr { content-visibility: visible; }
  .rows > tbody > tr > * { break-inside: avoid; }
  .rows > tbody > tr > .open { break-inside: auto; }
  .rows > tbody > tr:target { box-shadow: none; }
  .open summary, .all > summary { display: none; }
  .counts details::details-content, .all::details-content { content-visibility: visible; display: block; block-size: auto; }
  .details { padding: 0.2rem 0 0.9rem 1rem; gap: 0.6rem 1.5rem; }
  .details section { break-inside: avoid; }
  .long { max-height: none; overflow: visible; }
  .actor li, .list li { break-inside: avoid; content-visibility: visible; }
  a { color: inherit; text-decoration: none; }
  h2, h3 { break-after: avoid; }
}`
