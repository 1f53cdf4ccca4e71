import type { KindDefinition } from '../definition.ts'
import { manifestParts, neededToCreate, type ManifestType } from '../manifest.ts'
import { isNone } from '../operation.ts'
import { NAME_PATTERN } from '../patterns.ts'
import type { Values } from '../values.ts'
import { check, missing } from './check.ts'
import type { Problem, Within } from './problem.ts'

/** Everything that is wrong with a manifest whose sections are mappings. Its version is checked before. */
export const checkManifest = (kinds: readonly KindDefinition[], manifest: Values): Problem[] => {
  const { version: _, ...parts } = manifestParts(kinds)
  return Object.entries(parts).flatMap(([name, { type }]): Problem[] => {
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
    const [thing, at] = [things[name], [...within, name]]
    for (const problem of check(of, thing, at)) problems.push(problem)
    if (!NAME.test(name)) problems.push({ within: at, code: 'not-a-name', facts: { name } })
    if (undeclared !== undefined && typeof thing === 'object' && thing !== null && !Array.isArray(thing))
      for (const problem of undeclared(thing as Values, at)) problems.push(problem)
  }
  return problems
}

/** What creating takes is demanded unless the entry names an existing thing, or a field stands in its place. */
const undeclaredOf = (kind: KindDefinition): ((entry: Values, within: Within) => readonly Problem[]) => {
  const { identity, establish, expand } = kind
  const canAdopt = !isNone(establish.adopt)
  const needed = neededToCreate(kind)
  const { instead } = expand
  return (entry, within) => {
    const isLeftOut = (name: string): boolean => entry[name] === undefined
    const toCreate = canAdopt && !isLeftOut(identity.declaredAs) ? [] : needed.filter(isLeftOut)
    const others =
      instead === undefined || kind.fields[instead.field] === undefined || !isLeftOut(instead.field)
        ? []
        : instead.of.filter(isLeftOut)
    return [
      ...others.map((name) => missing(name, within)),
      ...toCreate.map((name) => missing(name, within, canAdopt)),
    ]
  }
}
