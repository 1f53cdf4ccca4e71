import type { Diagnostic } from '../diagnostics.ts'
import { Severity, type Diagnostic as Message } from '../wire/common-messages.ts'
import { attributePath } from './names.ts'

/** A diagnostic as the protocol carries it. */
export const diagnosticMessage = ({ severity, at, summary, detail = '' }: Diagnostic): Message => ({
  severity: Severity[severity],
  summary,
  detail,
  ...(at === undefined ? {} : { attribute: attributePath(at) }),
})
