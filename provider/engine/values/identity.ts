import { definitionOf, type KindDefinition } from '../../core/definition.ts'
import { inText } from '../../core/check/text.ts'
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

/** Whether the identity names one thing, and not only where it would be. */
export const isComplete = (definition: KindDefinition, identity: Identity): boolean =>
  identity[definition.identity.key] !== undefined

/** What tells a thing from the others of its place, such as its id; nothing if that or its kind is not known. */
export const keyOf = (
  definitions: readonly KindDefinition[],
  { kind, identity }: { readonly kind: string; readonly identity: Identity },
): string | undefined => {
  const definition = definitionOf(definitions, kind)
  return definition && identity[definition.identity.key]
}

/** One string for one thing at the service. */
export const identityKey = (definition: KindDefinition, identity: Identity): string =>
  `${scopeKey(definition, identity)}${part(identity[definition.identity.key])}`

/** One string for the place where things of a kind are listed. Each thing is looked up by it, so it has to be cheap. */
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
  // A place has many things: one string for all of them needs no second look when it is compared.
  if (key === undefined) {
    key = `${kind}${part(text)}`
    first.set(text, key)
  }
  for (let at = 1; at < scope.length; at++) key += part(identity[scope[at] ?? ''])
  return key
}
const firstParts = perDefinition(() => new Map<string | undefined, string>())

/** With its length in front, so no text can be taken for two. */
const part = (text: string | undefined): string => (text === undefined ? ' -' : ` ${text.length}:${text}`)

/** The same for the place itself, such as a project, whatever is in it. */
export const placeKey = (definition: KindDefinition, identity: Identity): string =>
  JSON.stringify(definition.identity.scope.map((name) => [name, identity[name]]))

/** The identity after an answer: what was declared, and the key that the service assigned. */
export const identityFromAnswer = (
  definition: KindDefinition,
  declared: Identity,
  answer: unknown,
): Identity => {
  const { key, keyInAnswer } = definition.identity
  const [told, field] = [(answer as Values | null)?.[keyInAnswer], definition.fields[key]]
  if (typeof told !== 'string' || declared[key] !== undefined || field === undefined) return declared
  // What cannot be part of a path is no id.
  return inText(field.type, told).length === 0 ? { ...declared, [key]: told } : declared
}

/** Whether something can be in a place: of which it is not told where it is, it can be in any. */
export const mayBeIn = (
  { identity: { scope } }: KindDefinition,
  identity: Identity,
  place: Identity,
): boolean => scope.every((name) => identity[name] === undefined || identity[name] === place[name])
