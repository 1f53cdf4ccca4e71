import { resourceBlock, type Attribute, type KindDefinition } from '@deploymgmt/provider/core'

const known = new WeakMap<KindDefinition, ReadonlyMap<string, Attribute>>()

/** The attributes of a kind's resource by their names; asked for once for each attribute of a file. */
export const attributesOf = (kind: KindDefinition): ReadonlyMap<string, Attribute> => {
  const found = known.get(kind) ?? new Map(resourceBlock(kind).attributes.map((each) => [each.name, each]))
  known.set(kind, found)
  return found
}
