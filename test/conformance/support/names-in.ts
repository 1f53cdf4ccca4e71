import { isNone, partsOf, type FieldType, type KindDefinition, type Rule } from '@deploymgmt/provider/core'

/** Where a definition names its fields, beside `fields` itself. */
export interface NamedThere {
  readonly where: string
  readonly names: readonly string[]
  /** What the fields have to be of, or that a call has to write them. */
  readonly must?: FieldType['is'] | 'be written'
}

export const namesIn = (definition: KindDefinition): NamedThere[] => [
  ...inIdentity(definition),
  ...inCalls(definition),
  ...inExpansion(definition),
  ...inEvents(definition),
  ...definition.guards.map(({ field }) => ({ where: 'guards', names: [field], must: 'be written' as const })),
  ...definition.rules.map((rule, at) => ({ where: `rules[${String(at)}]`, names: namesInRule(rule) })),
]

const given = (name: string | undefined): string[] => (name === undefined ? [] : [name])

const inIdentity = ({ identity }: KindDefinition): NamedThere[] => [
  { where: 'identity.scope', names: identity.scope },
  { where: 'identity.key', names: [identity.key] },
  { where: 'identity.declaredAs', names: [identity.declaredAs] },
  { where: 'identity.unique', names: identity.unique },
  { where: 'identity.recognisedBy', names: identity.recognisedBy },
]

const inCalls = (definition: KindDefinition): NamedThere[] => {
  const { create, adopt } = definition.establish
  const lost = isNone(create) || isNone(create.lost) ? undefined : create.lost
  const must = 'be written'
  return [
    ...(lost?.by === 'id' ? [{ where: 'establish.create.lost.asks', names: lost.asks, must } as const] : []),
    ...(lost?.by === 'name'
      ? [{ where: 'establish.create.lost.repeats', names: lost.repeats, must } as const]
      : []),
    ...(isNone(adopt)
      ? []
      : ([
          { where: 'establish.adopt.learnBy', names: adopt.learnBy, must },
          { where: 'establish.adopt.requires', names: given(adopt.requires?.field), must: 'boolean' },
          { where: 'establish.adopt.mayBeMissing', names: given(adopt.mayBeMissing), must: 'boolean' },
        ] as const)),
    { where: 'observe.parts', names: Object.keys(partsOf(definition)) },
    ...Object.entries(definition.release).map(([name, way]) => ({
      where: `release.${name}.empties`,
      names: way.way === 'send' ? given(way.empties) : [],
      must: 'be written' as const,
    })),
  ]
}

const inExpansion = ({ expand: { members, ensures, instead } }: KindDefinition): NamedThere[] => [
  { where: 'expand.members', names: members === undefined ? [] : [members.by, members.field] },
  { where: 'expand.ensures', names: given(ensures?.field) },
  { where: 'expand.instead', names: instead === undefined ? [] : [instead.field, ...instead.of] },
]

const inEvents = ({ lifetime, witness }: KindDefinition): NamedThere[] => [
  ...(isNone(lifetime)
    ? []
    : ([
        { where: 'lifetime.endsAt', names: [lifetime.endsAt], must: 'instant' },
        { where: 'lifetime.dates', names: lifetime.dates, must: 'instant' },
      ] as const)),
  ...(isNone(witness)
    ? []
    : [
        { where: 'witness.instance', names: [witness.instance] },
        { where: 'witness.fields', names: Object.values(witness.fields).flat() },
        { where: 'witness.sets', names: Object.values(witness.sets).flatMap((each) => Object.keys(each)) },
      ]),
]

const namesInRule = (rule: Rule): readonly string[] => {
  if (rule.over === 'mapping') return [rule.field]
  return rule.over === 'element' ? rule.list.slice(0, 1) : rule.reads
}
