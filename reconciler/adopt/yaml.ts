import { visible } from '../text/display.ts'
import { toJson } from '../text/json.ts'
import { isBareWord } from '../config/yaml-words.ts'

/** A text as a manifest has it: nothing in it is an expression. */
const textIn = (text: string): string => (isBareWord(text) ? text : toJson(text.split('${').join('$${')))

/** A value in one line. */
export const flow = (value: unknown): string => {
  if (typeof value === 'string') return textIn(value)
  if (Array.isArray(value)) return `[${value.map((each: unknown) => flow(each)).join(', ')}]`
  if (typeof value !== 'object' || value === null) return toJson(value)
  const pairs = Object.entries(value).filter(([, each]) => each !== undefined)
  return `{ ${pairs.map(([name, each]) => `${textIn(name)}: ${flow(each)}`).join(', ')} }`
}

/** A comment: whatever a service put into it, it stays one line. */
export const comment = (text: string): string => `# ${visible(text)}`

const WIDEST = 120

/** An entry of a section in one line, or with a field a line where that would be too long. */
export const entryLines = (name: string, values: Readonly<Record<string, unknown>>): string[] => {
  const short = `  ${name}: ${flow(values)}`
  if (short.length <= WIDEST) return [short]
  return [`  ${name}:`, ...Object.entries(values).map(([field, value]) => `    ${field}: ${flow(value)}`)]
}
