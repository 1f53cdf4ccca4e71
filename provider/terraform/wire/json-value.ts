/** Values in Terraform's JSON form: stored state, and DynamicValues of hosts that send JSON. */
import { type CtyType, decodeCtyType } from './cty-type.ts'
import { Decimal, numberFromText } from './decimal.ts'
import { isRecord } from './mismatch.ts'
import { type Notation, readValue } from './read-value.ts'
import type { TerraformValue } from './value.ts'

/** The value of a type that JSON says; a `strict` object must have exactly the attributes of its type. */
export const fromJson = (
  content: Uint8Array,
  type: CtyType,
  { strict }: Pick<Notation, 'strict'>,
): TerraformValue => readValue(parseExactJson(content), type, { numberIn, typedIn, strict })

/** JSON whose numbers are kept to the last digit. */
const parseExactJson = (content: Uint8Array): unknown => {
  const parse = JSON.parse as (
    text: string,
    revive: (key: string, value: unknown, context?: { source?: string }) => unknown,
  ) => unknown
  return parse(Buffer.from(content).toString('utf8'), (_key, value, context) =>
    typeof value === 'number' ? numberFromText(context?.source ?? String(value)) : value,
  )
}

const numberIn: Notation['numberIn'] = (raw) => {
  if (typeof raw === 'number' || raw instanceof Decimal) return raw
  return typeof raw === 'string' ? numberFromText(raw) : undefined
}

const typedIn: Notation['typedIn'] = (raw) =>
  isRecord(raw) && Object.hasOwn(raw, 'type')
    ? { type: decodeCtyType(Buffer.from(JSON.stringify(raw['type']))), raw: raw['value'] }
    : undefined
