import { isReadable, listBlock, textOf, type KindDefinition, type Values } from '../../core/index.ts'
import { listedIn, type Thing } from '../../engine/index.ts'
import { identityOf } from '../codec/identity.ts'
import { known, type Plain } from '../codec/plain.ts'
import { find, messages, objectIn, servedBy, valueOf, type ServedByType } from '../codec/served.ts'
import { isConfigured, unconfigured, type Configured, type Connection } from '../connection/connection.ts'
import type { Diagnostic } from '../diagnostics.ts'
import { importResource } from '../resource/import.ts'
import { identityIn } from '../resource/entry.ts'
import { liveState } from '../resource/read.ts'
import { checkField, lackingIn } from '../value-checks.ts'
import type { ProviderHandlers } from '../wire/services.ts'

/** The kinds that an endpoint lists, by type. */
export const listable = (kinds: readonly KindDefinition[]): ServedByType<KindDefinition> =>
  servedBy(
    kinds.filter((kind) => listBlock(kind) !== undefined),
    (kind) => listBlock(kind) ?? { type: '', summary: '', attributes: [] },
  )

/** The calls of a query: what exists in one place, whether Terraform manages it or not. */
export const listCalls = (
  listed: ServedByType<KindDefinition>,
  resources: ServedByType<KindDefinition>,
  connected: () => Connection,
): Pick<ProviderHandlers, 'validateListResourceConfig' | 'listResource'> => ({
  validateListResourceConfig: ({ typeName, config }) => {
    const it = find(listed, typeName)
    return { diagnostics: messages(validateQuery(it, objectIn(config, it.block))) }
  },
  listResource: async ({ typeName, config, includeResourceObject, limit }) => {
    const { definition, block } = find(listed, typeName)
    const connection = connected()
    if (!isConfigured(connection)) return [{ diagnostic: messages([unconfigured(connection)]) }]
    const things = await thingsIn(definition, objectIn(config, block).values, connection)
    const wanted = limit > 0 ? things.slice(0, limit) : things
    const whole = find(resources, typeName).block
    return wanted.map((thing) => {
      const state = stateOf(definition, thing)
      const identity = identityOf(definition, state)
      const displayName = displayed(definition, thing)
      return includeResourceObject
        ? { identity, displayName, resourceObject: valueOf(state, whole) }
        : { identity, displayName }
    })
  },
})

const validateQuery = (
  { definition, block }: ReturnType<typeof find<KindDefinition>>,
  config: Plain,
): Diagnostic[] => [
  ...lackingIn(block, config),
  ...block.attributes.flatMap(({ key }) => {
    const field = definition.fields[key]
    return field === undefined ? [] : checkField(key, field, config)
  }),
]

const thingsIn = async (
  definition: KindDefinition,
  place: Values,
  { reads }: Configured,
): Promise<readonly Thing[]> => {
  if (!isReadable(definition)) return []
  const scope = identityIn(definition, place)
  const { things } = await listedIn(reads.fresh, definition, scope)
  return things
}

/** The state that an import of the thing would bring. */
const stateOf = (definition: KindDefinition, thing: Thing): Plain => {
  const imported = importResource(definition, thing.identity)
  return 'problems' in imported ? known(thing.identity) : liveState(definition, imported.state, thing)
}

/** A name for people: what it is about, its most specific name, or else its id. */
const displayed = ({ adoption, identity: { key } }: KindDefinition, { identity, raw }: Thing): string =>
  [adoption.about(raw), adoption.names(raw).at(-1) ?? '', textOf(identity[key])].find(
    (text) => text !== '',
  ) ?? ''
