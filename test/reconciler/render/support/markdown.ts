import MarkdownIt from 'markdown-it'

/** As lenient as servers are: it keeps HTML, and makes links of addresses. */
const renderer = new MarkdownIt({ html: true, linkify: true })

/** Our own markup. */
const TAG = /<(\/?[a-z]+)>/g
const OURS = /^(?:<\/?(?:details|summary|code|b|br|sub)>|<!-- deploymgmt:(?:plan|drift):[\w%.!~*'()-]* -->)$/

/** The structure of a page without its text: no foreign text may change it. */
export const skeleton = (markdown: string): string[] =>
  renderer.parse(markdown, {}).flatMap(({ type, content, children, nesting, tag, info }) => {
    if (type === 'html_block') return [`html ${tagsOf(content).join(' ')}`]
    if (type === 'inline') return [`inline ${inlineOf(children ?? []).join(' ')}`]
    return [`${type} ${nesting} ${tag} ${info}`]
  })

/** Code is code in either spelling; text is ignored. */
const inlineOf = (tokens: readonly { readonly type: string; readonly content: string }[]): string[] =>
  tokens.flatMap(({ type, content }) => {
    if (type === 'text' || type === 'text_special') return []
    if (type === 'code_inline' || content === '<code>') return ['code']
    return content === '</code>' ? [] : [type === 'html_inline' ? content : type]
  })

const tagsOf = (html: string): string[] => [...html.matchAll(TAG)].map(([, tag = '']) => tag)

/** Everything that a renderer takes for HTML and that is not ours. */
export const foreignHtml = (markdown: string): string[] =>
  htmlOf(renderer.parse(markdown, {}))
    .flatMap((html) => html.match(/<!--.*?-->|<[^>]*>|</gs) ?? [])
    .filter((each) => !OURS.test(each))

interface Parsed {
  readonly type: string
  readonly content: string
  readonly children: readonly Parsed[] | null
}
const htmlOf = (tokens: readonly Parsed[]): string[] =>
  tokens.flatMap(({ type, content, children }) =>
    type === 'html_block' || type === 'html_inline' ? [content] : htmlOf(children ?? []),
  )

/** Links and images; we make neither. */
export const links = (markdown: string): string[] =>
  renderer
    .parse(markdown, {})
    .flatMap(({ children }) => children ?? [])
    .filter(({ type }) => type === 'link_open' || type === 'image')
    .map(({ attrs }) => JSON.stringify(attrs))

/** The visible text outside code, in which servers look for mentions and references. */
export const textOutsideCode = (markdown: string): string =>
  renderer
    .render(markdown)
    .replaceAll(/<(code|pre)\b[^>]*>.*?<\/\1>/gs, ' ')
    .replaceAll(/<!--.*?-->|<[^>]*>/gs, '\n')
    .replaceAll(/&(?:#(\d+)|(amp|lt|gt|quot));/g, (_, digits: string | undefined, name: string) =>
      digits === undefined ? (NAMED[name] ?? '') : String.fromCodePoint(Number(digits)),
    )
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** Rows of the source that are in no table, or that have other cells than their table. */
export const brokenRows = (markdown: string): string[] => {
  const tokens = renderer.parse(markdown, {})
  const lines = markdown.split('\n')
  const taken = new Set<number>()
  const broken: string[] = []
  for (const { type, map } of tokens) {
    if (map === null || !['fence', 'table_open'].includes(type)) continue
    for (let line = map[0]; line < map[1]; line += 1) taken.add(line)
    if (type === 'fence') continue
    const rows = lines.slice(...map)
    const cells = rows.map((row) => row.match(/(?<!\\)\|/g)?.length)
    broken.push(...rows.filter((_, index) => cells[index] !== cells[0]))
  }
  return [...broken, ...lines.filter((line, index) => line.startsWith('|') && !taken.has(index))]
}
