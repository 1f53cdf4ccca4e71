/** What `${…}` can refer to. */
export type Expression =
  | { readonly is: 'variable'; readonly name: string; readonly path: readonly string[] }
  | { readonly is: 'project'; readonly name: string; readonly field: string }
  | {
      readonly is: 'field'
      readonly section: string
      readonly name: string
      readonly key: string
      readonly field: string
    }
  /** A data source of a Terraform configuration; manifests have none. */
  | { readonly is: 'data'; readonly source: string; readonly path: readonly (string | number)[] }

/** A part of a string: literal text, or an expression. */
export type Piece =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'expression'; readonly source: string; readonly expression: Expression }
  | { readonly is: 'wrong'; readonly message: string }

export const EXPRESSIONS = [
  '${var.NAME}',
  '${var.MAP.KEY}',
  '${projects.NAME.id}',
  '${projects.NAME.orgId}',
  '${SECTION.NAME.FIELD}',
] as const

/** Whether the text may contain an expression or an escaped one. */
export const mayHoldExpression = (text: string): boolean => text.includes('${')

/** Splits a string into pieces; `$${` is an escaped `${`. */
export const piecesOf = (text: string): Piece[] => {
  const pieces: Piece[] = []
  let [plain, at] = ['', 0]
  const flush = (): void => {
    if (plain !== '') pieces.push({ is: 'text', text: plain })
    plain = ''
  }
  while (at < text.length) {
    const next = text.indexOf('${', at)
    if (next < 0) break
    const escaped = next > at && text[next - 1] === '$'
    plain += text.slice(at, escaped ? next - 1 : next)
    at = next + 2
    if (escaped) {
      plain += '${'
      continue
    }
    flush()
    const end = text.indexOf('}', at)
    if (end < 0)
      return [
        ...pieces,
        { is: 'wrong', message: 'an expression begins with ${ here and has no }; write $${ for ${ itself' },
      ]
    pieces.push(pieceOf(text.slice(at, end).trim()))
    at = end + 1
  }
  plain += text.slice(at)
  flush()
  return pieces
}

const NAME = '[A-Za-z0-9_][A-Za-z0-9_-]*'
const VARIABLE = new RegExp(`^var\\.(${NAME})((?:\\.${NAME})*)$`)
const FIELD = new RegExp(`^(${NAME})\\.(${NAME})((?:\\[[^\\]]*\\])*)\\.(${NAME})$`)

const DATA = new RegExp(`^data\\.(${NAME}\\.${NAME})((?:\\.${NAME}|\\[\\d+\\])+)$`)

const pieceOf = (source: string): Piece => {
  const [, dataSource, steps] = DATA.exec(source) ?? []
  if (dataSource !== undefined && steps !== undefined)
    return { is: 'expression', source, expression: { is: 'data', source: dataSource, path: stepsOf(steps) } }
  const [, variable, keys = ''] = VARIABLE.exec(source) ?? []
  if (variable !== undefined)
    return {
      is: 'expression',
      source,
      expression: { is: 'variable', name: variable, path: keys.split('.').slice(1) },
    }
  const [, section, name, key = '', field] = FIELD.exec(source) ?? []
  if (section === undefined || name === undefined || field === undefined)
    return { is: 'wrong', message: `\${${source}} is not an expression that a manifest supports` }
  if (section === 'projects' && key === '')
    return { is: 'expression', source, expression: { is: 'project', name, field } }
  return { is: 'expression', source, expression: { is: 'field', section, name, key, field } }
}

/** `.results[0].id` */
export const stepsOf = (text: string): (string | number)[] =>
  [...text.matchAll(/\.([^.[]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? Number(index))
