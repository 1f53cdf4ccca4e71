import type { ProjectNames } from '../connection/connection.ts'
import type { DiagnosticMessage } from '../wire/common-messages.ts'
import type { ProviderHandlers } from '../wire/services.ts'

/** A failed call, with what is said of it. */
export class FailedCall extends Error {
  override readonly name = 'FailedCall'
  readonly diagnostics: DiagnosticMessage[]

  constructor(cause: unknown, diagnostics: DiagnosticMessage[]) {
    super('a call failed', { cause })
    this.diagnostics = diagnostics
  }
}

type Call = (...given: unknown[]) => unknown

/** The same handlers, with projects called by their names beside their ids in all that a person is told. */
export const callingProjects = <H extends Partial<ProviderHandlers>>(
  handlers: H,
  names: () => ProjectNames,
  describe: (error: unknown) => DiagnosticMessage[],
): H => {
  const calling =
    (call: Call): Call =>
    async (...given) => {
      try {
        const answer = (await call(...given)) as { readonly diagnostics?: DiagnosticMessage[] }
        const { diagnostics } = answer
        return diagnostics === undefined
          ? answer
          : { ...answer, diagnostics: withNames(diagnostics, names()) }
      } catch (error) {
        throw new FailedCall(error, withNames(describe(error), names()))
      }
    }
  return Object.fromEntries(
    Object.entries(handlers).map(([name, call]) => [name, calling(call as Call)]),
  ) as H
}

/** How ids are found in what is said. */
interface Patterns {
  readonly alone: RegExp
  readonly anywhere: RegExp
}

/** A configuration has one map, and every call asks: made once for each. */
const patterns = new WeakMap<ProjectNames, Patterns | undefined>()

const patternsOf = (names: ProjectNames): Patterns | undefined => {
  if (!patterns.has(names)) patterns.set(names, madeOf(names))
  return patterns.get(names)
}

const madeOf = (names: ProjectNames): Patterns | undefined => {
  // An id of odd characters is left as it is.
  const ids = [...names.keys()].filter((id) => /^[\w-]+$/.test(id)).join('|')
  if (ids === '') return undefined
  return {
    // In quotes stands what somebody wrote, and it stays as it was written.
    alone: new RegExp(`(?<![\\w/"-])(?:${ids})(?![\\w/"-])`, 'g'),
    anywhere: new RegExp(`(?<![\\w-])(?:${ids})(?![\\w-])`, 'g'),
  }
}

/** An id that stands for itself gets the name in front; what is part of a path is explained below. */
const withNames = (diagnostics: DiagnosticMessage[], names: ProjectNames): DiagnosticMessage[] => {
  const found = diagnostics.length === 0 ? undefined : patternsOf(names)
  if (found === undefined) return diagnostics
  const { alone, anywhere } = found
  return diagnostics.map((each) => {
    const said = (text: string): string => text.replaceAll(alone, (id) => `${names.get(id) ?? ''} (${id})`)
    const text = `${each.summary} ${each.detail ?? ''}`
    const within = new Set(text.replaceAll(alone, '').match(anywhere))
    const lines = [...within].map((id) => `${id} is the project ${names.get(id) ?? ''}.`)
    const detail = [said(each.detail ?? ''), ...lines].filter((line) => line !== '').join('\n')
    return { ...each, summary: said(each.summary), detail }
  })
}
