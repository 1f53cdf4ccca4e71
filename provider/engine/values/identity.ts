import { definitionOf, type KindDefinition } from '../../core/definition.ts'
import { check, isAdvice } from '../../core/check/index.ts'
import { textOf, type Identity, type Values } from '../../core/values.ts'
import { perDefinition } from './per-definition.ts'

/** The identity that values declare, without a key that the service assigns. */
export const declaredIdentity = (definition: KindDefinition, values: Values): Identity => {
  const { scope, key, assigned, declaredAs } = definition.identity
  const isDeclared = assigned !== 'by-service' || declaredAs !== key
  const identity: Record<string, string> = {}
  for (const name of scope) if (values[name] !== undefined) identity[name] = textOf(values[name])
  if (isDeclared && values[declaredAs] !== undefined) identity[key] = textOf(values[declaredAs])
  return identity
}

/** Whether the identity names one thing, and not only its place. */
export const isComplete = (definition: KindDefinition, identity: Identity): boolean =>
  identity[definition.identity.key] !== undefined

/** The key that distinguishes a thing in its place, such as its id; undefined if the key or the kind is unknown. */
export const keyOf = (
  definitions: readonly KindDefinition[],
  { kind, identity }: { readonly kind: string; readonly identity: Identity },
): string | undefined => {
  const definition = definitionOf(definitions, kind)
  return definition && identity[definition.identity.key]
}

/** A unique string for one thing at the service. */
export const identityKey = (definition: KindDefinition, identity: Identity): string =>
  `${scopeKey(definition, identity)}${part(identity[definition.identity.key])}`

/** The same; undefined if the kind, or a part of the identity, is unknown. */
export const identityKeyOf = (
  definitions: readonly KindDefinition[],
  { kind, identity }: { readonly kind: string; readonly identity: Identity },
): string | undefined => {
  const definition = definitionOf(definitions, kind)
  return definition !== undefined && isComplete(definition, identity)
    ? identityKey(definition, identity)
    : undefined
}

/**
 * A unique string for the place where things of a kind are listed. Each lookup of a thing needs one, so it has to be
 * cheap.
 */
export const scopeKey = (definition: KindDefinition, identity: Identity): string => {
  const {
    kind,
    identity: { scope },
  } = definition
  const [name] = scope
  if (name === undefined) return kind
  const first = firstParts(definition)
  const text = identity[name]
  let key = first.get(text)
  // Things of one place share one string, which makes comparing keys cheap.
  if (key === undefined) {
    key = `${kind}${part(text)}`
    first.set(text, key)
  }
  for (let at = 1; at < scope.length; at++) key += part(identity[scope[at] ?? ''])
  return key
}
const firstParts = perDefinition(() => new Map<string | undefined, string>())

/** Prefixed with its length, so that different identities never give the same string. */
const part = (text: string | undefined): string => (text === undefined ? ' -' : ` ${text.length}:${text}`)

/** A string for the place itself, such as a project, whatever kind of thing is in it. */
export const placeKey = (definition: KindDefinition, identity: Identity): string =>
  JSON.stringify(definition.identity.scope.map((name) => [name, identity[name]]))

/** The declared identity with the key that the service assigned in its answer. */
export const identityFromAnswer = (
  definition: KindDefinition,
  declared: Identity,
  answer: unknown,
): Identity => {
  const { key, keyInAnswer } = definition.identity
  const [told, field] = [(answer as Values | null)?.[keyInAnswer], definition.fields[key]]
  if (typeof told !== 'string' || declared[key] !== undefined || field === undefined) return declared
  // A value that cannot be part of a path is no id. One of another form than usual is, because ids are opaque.
  return check(field.type, told).every(isAdvice) ? { ...declared, [key]: told } : declared
}

/** Whether a thing can be in a place; one whose place is unknown can be in any. */
export const mayBeIn = (
  { identity: { scope } }: KindDefinition,
  identity: Identity,
  place: Identity,
): boolean => scope.every((name) => identity[name] === undefined || identity[name] === place[name])
