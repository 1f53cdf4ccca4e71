import { camelToSnake } from '../../core/index.ts'
import type { AttributePath } from '../wire/common-messages.ts'

/** A field's or an attribute's key as a configuration spells it. */
export const attributeName = camelToSnake

export const attributePath = (key: string): AttributePath => ({
  steps: [{ attributeName: attributeName(key) }],
})
