import type { ProjectNames } from '../connection/connection.ts'
import type { DiagnosticMessage } from '../wire/common-messages.ts'
import type { ProviderHandlers } from '../wire/services.ts'

/** A failed call, with its diagnostics. */
export class FailedCall extends Error {
  override readonly name = 'FailedCall'
  readonly diagnostics: DiagnosticMessage[]

  constructor(cause: unknown, diagnostics: DiagnosticMessage[]) {
    super('a call failed', { cause })
    this.diagnostics = diagnostics
  }
}

type Call = (...given: unknown[]) => unknown

/** The same handlers, which add the names of projects to their ids in all diagnostics. */
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

/** How ids are found in messages. */
interface Patterns {
  readonly alone: RegExp
  readonly anywhere: RegExp
}

/** Cached, because a configuration has one map and every call asks. */
const patterns = new WeakMap<ProjectNames, Patterns | undefined>()

const patternsOf = (names: ProjectNames): Patterns | undefined => {
  if (!patterns.has(names)) patterns.set(names, madeOf(names))
  return patterns.get(names)
}

const madeOf = (names: ProjectNames): Patterns | undefined => {
  // An id with unusual characters is left as it is.
  const ids = [...names.keys()].filter((id) => /^[\w-]+$/.test(id)).join('|')
  if (ids === '') return undefined
  return {
    // Text in quotes was written by somebody, and stays as it was written.
    alone: new RegExp(`(?<![\\w/"-])(?:${ids})(?![\\w/"-])`, 'g'),
    anywhere: new RegExp(`(?<![\\w-])(?:${ids})(?![\\w-])`, 'g'),
  }
}

/** A standalone id gets the name in front; an id within a path is explained below. */
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
