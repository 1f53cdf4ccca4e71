import type { KindDefinition } from '../definition.ts'
import { manifestParts, neededToCreate, type ManifestType } from '../manifest.ts'
import { isNone } from '../operation.ts'
import { NAME_PATTERN } from '../patterns.ts'
import { isObject, type Values } from '../values.ts'
import { check, missing } from './check.ts'
import type { Facts, Problem, Within } from './problem.ts'

/** Everything that is wrong with a manifest whose sections are mappings. Its version is checked earlier. */
export const checkManifest = (kinds: readonly KindDefinition[], manifest: Values): Problem[] => {
  const { version: _, ...parts } = manifestParts(kinds)
  return Object.entries(parts).flatMap(([name, { type }]): readonly Problem[] => {
    const value = manifest[name]
    if (value === undefined) return []
    if (type.is !== 'map') return check(type, value, [name])
    return checkNamed(
      type,
      kinds.find(({ section }) => section === name),
      value as Values,
      [name],
    )
  })
}

const NAME = new RegExp(NAME_PATTERN)

type MapType = Extract<ManifestType, { is: 'map' }>
const checkNamed = (
  { of }: MapType,
  kind: KindDefinition | undefined,
  things: Values,
  within: Within,
): Problem[] => {
  const undeclared = kind && undeclaredOf(kind)
  const problems: Problem[] = []
  for (const name of Object.keys(things)) {
    const thing = things[name]
    const lacks = undeclared !== undefined && isObject(thing) ? undeclared(thing) : NONE
    // Most things are valid: the path is built only if something is wrong.
    if (NAME.test(name) && lacks.length === 0 && check(of, thing, NOWHERE).length === 0) continue
    const at = [...within, name]
    // Not `push(...)`: a list can have more wrong elements than a call can have arguments.
    for (const problem of check(of, thing, at)) problems.push(problem)
    if (!NAME.test(name)) problems.push({ within: at, code: 'not-a-name', facts: { name } })
    for (const lacking of lacks) problems.push(missing(lacking, at))
  }
  return problems
}
const NOWHERE: Within = []
const NONE: readonly Facts['missing-key'][] = []

/** What a creation needs is required unless the entry names an existing thing, or a field replaces it. */
const undeclaredOf = (kind: KindDefinition): ((entry: Values) => readonly Facts['missing-key'][]) => {
  const { identity, establish, expand } = kind
  const canAdopt = !isNone(establish.adopt)
  const needed = neededToCreate(kind)
  const { instead } = expand
  return (entry) => {
    let lacks: Facts['missing-key'][] | undefined
    const demand = (names: readonly string[], toCreate: boolean): void => {
      for (const name of names) if (entry[name] === undefined) (lacks ??= []).push({ name, toCreate })
    }
    if (
      instead !== undefined &&
      kind.fields[instead.field] !== undefined &&
      entry[instead.field] === undefined
    )
      demand(instead.of, false)
    if (!canAdopt || entry[identity.declaredAs] === undefined) demand(needed, canAdopt)
    return lacks ?? NONE
  }
}
