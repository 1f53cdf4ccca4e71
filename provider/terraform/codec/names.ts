import { camelToSnake } from '../../core/index.ts'
import type { AttributePath } from '../wire/common-messages.ts'

/** The key of a field or an attribute as configurations spell it. */
export const attributeName = camelToSnake

export const attributePath = (key: string): AttributePath => ({
  steps: [{ attributeName: attributeName(key) }],
})
