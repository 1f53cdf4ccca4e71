import type { Block } from '../../core/index.ts'
import type { Diagnostic } from '../diagnostics.ts'
import { Severity, type DiagnosticMessage, type DynamicValue } from '../wire/common-messages.ts'
import { decodeDynamicValue, encodeDynamicValue } from '../wire/dynamic-value.ts'
import { UNKNOWN, type TerraformObject } from '../wire/value.ts'
import { attributePath } from './names.ts'
import { known, type Plain } from './plain.ts'
import { blockType } from './schema.ts'
import { decode, encode } from './values.ts'

/** What implements a type: its definition, and the attributes by which its values are read and written. */
export interface Served<D> {
  readonly definition: D
  readonly block: Block
}
export type ServedByType<D> = ReadonlyMap<string, Served<D>>

export const servedBy = <D>(definitions: readonly D[], blockOf: (definition: D) => Block): ServedByType<D> =>
  new Map(
    definitions.map((definition) => {
      const block = blockOf(definition)
      return [block.type, { definition, block }]
    }),
  )

/** @throws TypeError for a type that no schema has named */
export const find = <D>(served: ServedByType<D>, type: string): Served<D> => {
  const found = served.get(type)
  if (found === undefined) throw new TypeError(`this provider has no ${type}`)
  return found
}

/** A message's object; null if there is none, as before a creation. */
export const objectOrNull = (value: DynamicValue | undefined, block: Block): Plain | null => {
  const decoded = decodeDynamicValue(value, blockType(block))
  return decoded === null || decoded === UNKNOWN ? null : decode(block.attributes, decoded as TerraformObject)
}

export const objectIn = (value: DynamicValue | undefined, block: Block): Plain =>
  objectOrNull(value, block) ?? known({})

export const valueOf = (object: Plain | null, block: Block): DynamicValue =>
  encodeDynamicValue(object === null ? null : encode(block.attributes, object), blockType(block))

/** Diagnostics as messages of the protocol. */
export const messages = (diagnostics: readonly Diagnostic[]): DiagnosticMessage[] =>
  diagnostics.map(({ severity, at, summary, detail = '' }) => ({
    severity: Severity[severity],
    summary,
    detail,
    ...(at === undefined ? {} : { attribute: attributePath(at) }),
  }))
