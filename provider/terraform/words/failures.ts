import type { Problem } from '../../core/check/index.ts'
import {
  AlreadyExistsError,
  ArgumentError,
  ConflictError,
  DeadlineError,
  DeploymgmtError,
  EntryRefusedError,
  InsecureUrlError,
  RateLimitedError,
  ServiceFailureError,
  TlsError,
  type ArgumentWords,
} from '../../errors/index.ts'
import { attributeName } from '../codec/names.ts'
import type { Text } from '../diagnostics.ts'
import { valueWords } from './values.ts'
import { inThisDoor, names } from './spelled.ts'

/** Messages about failures. */

/**
 * What a person does, by error code, if it differs in this door from the command. After a failure a plan comes first:
 * another apply might create a second time what it has created.
 */
const REMEDIES: ReadonlyMap<string, string> = new Map([
  [DeadlineError.code, 'Check the load on the service and the network, then plan again.'],
  [ServiceFailureError.code, 'Check the health and the logs of the service, then plan again.'],
  [ConflictError.code, 'Change the configuration, or import what exists if you know its id.'],
  [EntryRefusedError.code, 'Change the configuration as the message says; nothing was sent.'],
  [InsecureUrlError.code, 'Use https.'],
  [RateLimitedError.code, 'Wait, then run Terraform again with a lower concurrency.'],
])

const remedyFor = (error: DeploymgmtError): string => {
  if (error instanceof AlreadyExistsError) return inThisDoor(error.advice)
  if (error instanceof TlsError && error.fault === 'not-spoken')
    return 'Check the host and port of the base URL: the service has to use https.'
  return REMEDIES.get(error.code) ?? withAttributes(error.hint)
}

/** Names the provider's attributes before the environment variables that they override. */
const withAttributes = (hint: string): string =>
  hint.replaceAll(
    /DEPLOYMGMT_(BASE_URL|PUBLIC_KEY|PRIVATE_KEY|CA_FILE)\b/g,
    (variable, name: string) => `${name.toLowerCase()} (or ${variable})`,
  )

/** The message of a failure; an error that is not one of ours is a defect, and the message says so. */
export const failed = (error: unknown): Text => {
  if (!(error instanceof DeploymgmtError))
    return {
      summary: 'DM-INTERNAL: a bug in the provider',
      detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }
  return withRemedy(error, remedyFor(error))
}
const withRemedy = (error: DeploymgmtError, remedy: string): Text => ({
  summary: `${error.code}: ${error.message}`,
  detail: [error.where ?? '', remedy].filter((text) => text !== '').join('\n'),
})
/** Something was not found, and these attributes have the ids that were sent. */
export const unknownIdIn = (error: DeploymgmtError, keys: readonly string[]): Text =>
  withRemedy(error, `Check the ids in ${names(keys)}.`)

/** For all errors with one cause except the first. */
export const asBefore = (code: string): Text => ({
  summary: `${code}: not done, for the reason that another error gives in full`,
})

/** What is wrong with the arguments of a data source. */
export const ARGUMENTS: ArgumentWords<Problem> = {
  says: (problem) => `${attributeName(String(problem.within[0]))}: ${valueWords(problem).summary}`,
  hint: ArgumentError.remedy,
}
