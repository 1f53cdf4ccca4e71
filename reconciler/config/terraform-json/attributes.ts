import {
  oncePer,
  attributesIn,
  dataSourceBlock,
  providerBlock,
  resourceBlock,
  type Attribute,
  type DataSourceDefinition,
  type Fields,
  type KindDefinition,
} from '@deploymgmt/provider/core'

/** Attributes by name. */
type Attributes = ReadonlyMap<string, Attribute>

const byName = (attributes: readonly Attribute[]): Attributes =>
  new Map(attributes.map((each) => [each.name, each]))

/** Once, because they are needed for each attribute of a file. */
const remembered = <D extends object>(attributes: (of: D) => readonly Attribute[]): ((of: D) => Attributes) =>
  oncePer((of) => byName(attributes(of)))

export const attributesOf = remembered((kind: KindDefinition) => resourceBlock(kind).attributes)
export const attributesWithin = remembered((fields: Fields) => attributesIn(fields))
export const argumentsOf = remembered((definition: DataSourceDefinition) =>
  dataSourceBlock(definition).attributes.filter(({ key }) => Object.hasOwn(definition.arguments, key)),
)
export const PROVIDER_ATTRIBUTES = byName(providerBlock.attributes)

/** The name of an argument by its key; an unknown key stays as it is. */
export const argumentName = (definition: DataSourceDefinition, argument: string): string =>
  [...argumentsOf(definition).values()].find(({ key }) => key === argument)?.name ?? argument
