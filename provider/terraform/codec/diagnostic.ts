import { inAttributeNames, type KindDefinition } from '../../core/index.ts'
import type { Diagnostic } from '../diagnostics.ts'
import { inThisDoor } from '../words.ts'
import { Severity, type Diagnostic as Message } from '../wire/common-messages.ts'
import { attributePath } from './names.ts'

/** A diagnostic as the protocol carries it; a definition's names within its sentences are spelt as attributes. */
export const diagnosticMessage = (
  { severity, at, summary, detail = '' }: Diagnostic,
  definition?: KindDefinition,
): Message => {
  const spelt = (text: string): string =>
    definition === undefined ? text : inAttributeNames(definition, inThisDoor(text))
  return {
    severity: Severity[severity],
    summary: spelt(summary),
    detail: spelt(detail),
    ...(at === undefined ? {} : { attribute: attributePath(at) }),
  }
}
