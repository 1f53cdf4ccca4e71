import type { TSchema } from 'typebox'
import { Settings } from 'typebox/system'
import { Value } from 'typebox/value'

/** A violation of a schema; pointers are JSON pointers in the value. */
export type SchemaProblem =
  | { readonly kind: 'unknown' | 'missing'; readonly pointer: string; readonly field: string }
  | { readonly kind: 'enum'; readonly pointer: string; readonly allowed: readonly unknown[] }
  | {
      readonly kind: 'type'
      readonly pointer: string
      readonly types: readonly string[]
      readonly message: string
    }
  | { readonly kind: 'empty' | 'other'; readonly pointer: string; readonly message: string }

/**
 * The first problem of a value, unknown fields first; undefined if it is valid. The library stops after some errors,
 * so none may be skipped because another one says the same.
 */
export const findProblem = (schema: TSchema, value: unknown): SchemaProblem | undefined => {
  const errors = Value.Errors(schema, value)
  const first = errors.find(({ keyword }) => keyword === 'boolean') ?? errors[0]
  return first && problemsOf(first)[0]
}

/** The problems of a value up to a limit, one per place. */
export const findProblems = (schema: TSchema, value: unknown, limit: number): SchemaProblem[] => {
  const { maxErrors } = Settings.Get()
  Settings.Set({ maxErrors: limit })
  try {
    const all = Value.Errors(schema, value).flatMap(problemsOf)
    const byPlace = new Map(all.toReversed().map((problem) => [placeOf(problem), problem]))
    return all.filter((problem) => byPlace.get(placeOf(problem)) === problem)
  } finally {
    Settings.Set({ maxErrors })
  }
}

const placeOf = (problem: SchemaProblem): string =>
  'field' in problem ? `${problem.pointer}/${problem.field}` : problem.pointer

type LibraryError = ReturnType<typeof Value.Errors>[number]

/** Converts an error of the library; several unknown or missing fields at one place become separate problems. */
const problemsOf = (error: LibraryError): SchemaProblem[] => {
  const pointer = error.instancePath
  switch (error.keyword) {
    case 'boolean': {
      const parts = pointer.split('/')
      const field = unescape(parts.pop() ?? '')
      return [{ kind: 'unknown', pointer: parts.join('/'), field }]
    }
    case 'additionalProperties':
      return error.params.additionalProperties.map((field) => ({ kind: 'unknown', pointer, field }))
    case 'required':
      return error.params.requiredProperties.map((field) => ({ kind: 'missing', pointer, field }))
    case 'enum':
      return [{ kind: 'enum', pointer, allowed: error.params.allowedValues }]
    case 'type': {
      const types = [error.params.type].flat()
      return [{ kind: 'type', pointer, types, message: `must be ${types.map(withArticle).join(' or ')}` }]
    }
    case 'minProperties':
      return [{ kind: 'empty', pointer, message: requirementOf(error) }]
    default:
      return [{ kind: 'other', pointer, message: requirementOf(error) }]
  }
}

/** What is required of a value, for a person to read. Where our schemas set a least length, it is one. */
const requirementOf = (error: LibraryError): string => {
  switch (error.keyword) {
    case 'minItems':
    case 'minLength':
    case 'minProperties':
      return 'must not be empty'
    case 'maxLength':
      return `must have at most ${error.params.limit} characters`
    case 'minimum':
      return `must be at least ${error.params.limit}`
    case 'maximum':
      return `must be at most ${error.params.limit}`
    default:
      return error.message
  }
}

const withArticle = (type: string): string => {
  if (type === 'null') return type
  return `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`
}

/** The names in a JSON pointer. */
export const pointerParts = (pointer: string): string[] => pointer.split('/').slice(1).map(unescape)

const unescape = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')
