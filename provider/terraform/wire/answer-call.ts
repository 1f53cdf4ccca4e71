/** One call by Terraform, from its request to a response that Terraform can always show. */
import { type DiagnosticMessage, Severity } from './common-messages.ts'
import { isNull } from './dynamic-value.ts'
import type { Lifetime } from './lifetime.ts'
import {
  type Call,
  type ProviderHandlers,
  type ProviderMethodName,
  type RequestOf,
  isStream,
  providerMethods,
} from './services.ts'

/** What to tell the user about an error that a handler threw; `purpose` completes "The provider could not …". */
export type FailureText = (error: unknown, purpose: string) => DiagnosticMessage[]

type Log = (message: string, facts: Readonly<Record<string, string | number>>) => void
/** Where calls are logged. */
interface CallLog {
  readonly error: Log
  readonly trace: Log
}

export interface AnswerOptions {
  readonly handlers: ProviderHandlers
  readonly lifetime: Lifetime
  readonly log: CallLog
  readonly describeFailure: FailureText
}

type AnyHandler = (request: object, call: Call) => object | Promise<object>

/** Answers a call with its handler; undefined if the provider has none. The returned function never rejects. */
export const answerCall = (
  name: ProviderMethodName,
  options: AnswerOptions,
): ((request: object) => Promise<object>) | undefined => {
  const handler = handlerOf(name, options)
  if (handler === undefined) return undefined
  const { lifetime, log, describeFailure } = options
  const { name: call, purpose } = providerMethods[name]
  return (request) =>
    lifetime.during(async () => {
      const begun = performance.now()
      if (name === 'configureProvider') lifetime.configured()
      try {
        return await handler(request, { signal: lifetime.signal })
      } catch (error) {
        log.error('A call failed.', { call, error: error instanceof Error ? error.name : typeof error })
        return failed(name, request, describeFailure(error, purpose))
      } finally {
        log.trace('A call was answered.', { call, ms: Math.round(performance.now() - begun) })
      }
    })
}

/** The message of an error about which nothing more is known. */
export const plainFailure: FailureText = (error, purpose) => [
  {
    severity: Severity.error,
    summary: `The provider could not ${purpose}`,
    detail: error instanceof Error ? error.message : String(error),
  },
]

const handlerOf = (
  name: ProviderMethodName,
  { handlers, lifetime }: AnswerOptions,
): AnyHandler | undefined => {
  const given = handlers[name] as AnyHandler | undefined
  if (name === 'getFunctions') return given ?? (() => ({}))
  if (name === 'stopProvider')
    return (request, call) => {
      lifetime.stop()
      return given?.(request, call) ?? {}
    }
  return given
}

/** A failure changes nothing: Terraform keeps what it knew of the resource, so that it is not forgotten. */
const failed = (name: ProviderMethodName, request: object, diagnostics: DiagnosticMessage[]): object => {
  if (name === 'stopProvider')
    return { error: diagnostics.map(({ summary, detail }) => `${summary}: ${detail ?? ''}`).join('\n') }
  if (name === 'applyResourceChange') {
    const { priorState, plannedPrivate, plannedIdentity } = request as RequestOf<'applyResourceChange'>
    // The identity of a creation is unknown, and Terraform accepts no unknown one.
    const newIdentity = isNull(priorState) ? undefined : plannedIdentity
    return { newState: priorState, private: plannedPrivate, newIdentity, diagnostics }
  }
  if (name === 'readResource') {
    const { currentState, private: kept, currentIdentity } = request as RequestOf<'readResource'>
    return { newState: currentState, private: kept, newIdentity: currentIdentity, diagnostics }
  }
  return isStream(name) ? [{ diagnostic: diagnostics }] : { diagnostics }
}
