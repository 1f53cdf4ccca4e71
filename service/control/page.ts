import type { TSchema } from 'typebox'
import type { ControlCall } from './control-call.ts'
import { controlCalls } from './control.ts'
import { faultKinds } from './fault-schema.ts'

/** The sections of docs/service-settings.md about the control interface. */
export const controlSections = (): string[] => {
  return [
    `## Control interface

With \`--control\`, the calls below \`/_control\` do what the API has no endpoint for. They are accepted only from this machine, in JSON, with \`Authorization: Bearer TOKEN\`; the ready line shows address and token. They are not in the request log. An invalid body is answered with 400 and the path to the error.

\`\`\`sh
curl -X POST "$CONTROL_URL/faults" -H "Authorization: Bearer $CONTROL_TOKEN" \\
  -H 'Content-Type: application/json' -d '${JSON.stringify(faultKinds.status.example)}'
\`\`\``,
    table(
      ['Call', 'Does'],
      controlCalls.map((call) => [code(nameOf(call)), call.summary]),
    ),
    ...controlCalls.map(callSection),
    faultSection(),
  ]
}

const nameOf = ({ method, path }: ControlCall): string => `${method} ${path.slice(1)}`

const callSection = (call: ControlCall): string => {
  const { bodies = [], answer, note } = call.docs
  const lines = [
    call.body === undefined ? '- No body.' : `- Body${fieldsOf(call.body)}, such as:`,
    ...bodies.map((body) => `  - ${json(body)}`),
    `- Answer: ${json(answer)}`,
  ]
  return [`### ${nameOf(call)}`, lines.join('\n'), ...(note === undefined ? [] : [note])].join('\n\n')
}

/** The fields of a body; a body that is a list, or has no required field, is shown by its examples. */
const fieldsOf = (schema: TSchema): string => {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, TSchema>
    required?: readonly string[]
  }
  if (required.length === 0) return ''
  const names = Object.keys(properties)
  const optional = names.filter((name) => !required.includes(name))
  const also = optional.length === 0 ? '' : ` (optional: ${optional.map(code).join(', ')})`
  return `: ${required.map(code).join(', ')}${also}`
}

const faultSection = (): string => {
  return `### Faults

All faults have these fields:

- \`method\` and \`path\`, a regular expression over the path relative to the base URL, with or without its query, say which requests a fault can meet; by default all.
- \`count\` says how many of them it meets.
- \`probability\` (0 to 1) and \`seed\` say which.

With neither \`count\` nor \`probability\`, a fault meets every one until it is cleared. Faults meet only authenticated requests, and one request can meet several.

${table(
  ['Fault', 'Does', 'Its fields', 'Body'],
  Object.entries(faultKinds).map(([name, { does, fields, example }]) => [
    code(name),
    does,
    fields,
    json(example),
  ]),
)}`
}

const table = (heading: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(heading), `|${heading.map(() => '---').join('|')}|`, ...rows.map(row)].join('\n')

const row = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`

const json = (value: unknown): string => code(JSON.stringify(value))

const code = (text: string): string => `\`${text}\``
