import type { KindDefinition } from '../../core/definition.ts'
import { pick, pickBy, type Values } from '../../core/values.ts'
import type { UnmanagedThing } from '../judge/unmanaged.ts'
import { writableFields } from '../values/wire.ts'
import { isDeclarable } from './declarable.ts'

/** What an entry declares to adopt a thing by its id; undefined if not all of that is known. */
export const entryOfUnmanaged = (
  definition: KindDefinition,
  { identity, values }: Pick<UnmanagedThing, 'identity' | 'values'>,
): Values | undefined => {
  const { fields, identity: how } = definition
  const key = identity[how.key]
  const writable = writableFields(definition)
  const isWhole = writable.every((name) => fields[name]?.need !== 'always' || values[name] !== undefined)
  if (key === undefined || !isWhole) return undefined
  const known = pickBy(
    pick(values, writable),
    (value, name) => value !== undefined && value !== null && value !== fields[name]?.default,
  )
  const entry = { ...pick(identity, how.scope), [how.declaredAs]: key, ...known }
  return isDeclarable(definition, entry) ? entry : undefined
}
