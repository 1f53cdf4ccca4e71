import { defaultRelease, type KindDefinition } from './definition.ts'
import {
  boolean,
  element,
  Field,
  type Fields,
  type FieldType,
  id,
  integer,
  json,
  list,
  oneOf,
  set,
  string,
} from './field.ts'
import { isNone } from './operation.ts'
import { oncePer } from './once.ts'
import { NAME_LENGTH } from './patterns.ts'
import { pickBy } from './values.ts'

/** Conditions that can be required of a project before anything in it is changed. */
const GATES = ['automation-converged', 'no-open-alerts', 'agents-active'] as const
export type Gate = (typeof GATES)[number]

/** What a place of a manifest holds: a value of a field's type, or things by name. */
export type ManifestType =
  | FieldType
  | { readonly is: 'map'; readonly of: Extract<FieldType, { is: 'object' | 'list' }>; readonly noun: string }
export interface ManifestPart {
  readonly type: ManifestType
  readonly summary: string
}

/** The fields of a kind that a manifest declares; the service tells the others. */
export const declarable = (kind: KindDefinition): Fields =>
  pickBy(kind.fields, ({ change }) => change !== 'computed')

/** Fields that are compared with the service, so that a difference in them can be ignored. */
export const comparable = (kind: KindDefinition): string[] =>
  Object.entries(declarable(kind))
    .filter(([, field]) => field.part === 'value' && field.type.is !== 'secret')
    .map(([name]) => name)

/** Whether one entry may be declared for several projects. */
const mayHaveSeveral = ({ identity }: KindDefinition): boolean => identity.scope.includes('projectId')

const several = (summary: string): Field =>
  new Field(
    { is: 'set', of: { is: 'id' }, atLeast: 1, orAll: true },
    `${summary}: ids or names, \`all\`, or \`{ all: true, except: [NAME] }\`.`,
  ).optional()

/** Options that every entry takes in addition to its kind's fields. */
export const options = (kind: KindDefinition): Fields => ({
  ...(mayHaveSeveral(kind)
    ? { projectIds: several('Declares the entry for each of these, instead of projectId') }
    : {}),
  onRemove: oneOf(Object.keys(kind.release), 'way of removal', waysOfRemoval(kind)).optional(),
  protect: boolean('Whether every write that removes or narrows the thing is refused.').optional(),
  ignoreChanges: set(
    element.oneOf(comparable(kind), 'comparable field of this kind'),
    'Fields that are neither compared nor sent once the thing is recorded.',
  ).optional(),
})

const waysOfRemoval = (kind: KindDefinition): string =>
  [
    `What happens when the entry is removed; ${defaultRelease(kind)} by default.`,
    ...Object.entries(kind.release).map(([name, { summary }]) => `${name}: ${summary}`),
  ].join(' ')

/** One entry as it is written. Its scope may come from the defaults, so it is optional. */
const entryType = (kind: KindDefinition): Extract<FieldType, { is: 'object' }> => {
  const demanded = (name: string): boolean =>
    !kind.identity.scope.includes(name) && kind.expand.instead?.of.includes(name) !== true
  const fields = Object.entries(declarable(kind)).map(([name, field]): [string, Field] => [
    name,
    demanded(name) ? field : field.optional(),
  ])
  return { is: 'object', fields: { ...Object.fromEntries(fields), ...options(kind) } }
}

/** Whether an entry of the kind takes the field from `defaults` if it does not set it. */
export const isInherited = (kind: KindDefinition, field: string): boolean =>
  kind.identity.scope.includes(field) ||
  (field === 'projectIds' ? mayHaveSeveral(kind) : ['onRemove', 'protect'].includes(field))

/** What an entry may inherit: scope fields of any kind, and options that mean the same for all kinds. */
const inheritable = (kinds: readonly KindDefinition[]): Fields => {
  const scopes = kinds.flatMap((kind) =>
    kind.identity.scope.map((name) => [name, kind.fields[name]] as const),
  )
  const [first, ...others] = kinds.map((kind) => Object.keys(kind.release))
  const ways = (first ?? []).filter((way) => others.every((names) => names.includes(way)))
  return {
    ...Object.fromEntries(scopes.flatMap(([name, field]) => (field ? [[name, field.optional()]] : []))),
    ...(kinds.some(mayHaveSeveral)
      ? { projectIds: several('Declares each entry of a project for each of these, instead of projectId') }
      : {}),
    onRemove: oneOf(
      ways,
      'way of removal that every kind has',
      'The way of removal for every entry.',
    ).optional(),
    protect: boolean('Whether every entry is protected.').optional(),
  }
}

const variable: Fields = {
  description: string('What the variable is for.').optional(),
  default: json(
    'Its value if neither --var nor a --var-file gives one: a string, a number, true or false, a list or a mapping.',
  ).optional(),
}
const key: Fields = {
  exclusive: boolean(
    'Whether only this manifest uses the key. If so, whatever events say that the key made is taken as made by this manifest.',
  ).or(false),
}
/** A day or an instant; the reader decides which. */
const until = (summary: string): Field => string(summary, { minLength: 1 }).optional()
const exception: Fields = {
  name: string('A host, a process, a type or an id that need not meet the condition.', { minLength: 1 }),
  reason: string('Why it need not.', { minLength: 1 }),
  until: until('The last day (UTC) or instant on which the exception holds; without it, permanently.'),
}
const gate: Fields = {
  gate: oneOf(GATES, 'gate', 'The condition that has to hold.'),
  except: list(element.object(exception), 'Exceptions from the condition.').optional(),
}
/**
 * The fields by which a manifest can name unmanaged things of a kind: their place, what reports call them, and more.
 */
export const namesOfUnmanaged = ({ identity, unmanaged, witness }: KindDefinition): string[] =>
  unmanaged.foundBy === 'list'
    ? [...identity.scope, identity.key, ...unmanaged.alsoNamedBy]
    : [...identity.scope, isNone(witness) ? identity.key : witness.instance]

const ignored = (kinds: readonly KindDefinition[]): Field => {
  const named = new Map(
    kinds.flatMap((kind) =>
      namesOfUnmanaged(kind).map((name) => [name, kind.fields[name]?.type.is] as const),
    ),
  )
  const fields = [...named].map(([name, is]): [string, Field] => {
    const summary = `Only those with this ${name}.`
    return [name, (is === 'id' ? id(summary) : string(summary, { minLength: 1 })).optional()]
  })
  return list(
    element.object({
      section: oneOf(
        kinds.map(({ section }) => section),
        'section',
        'The section in which they would be declared.',
      ),
      ...Object.fromEntries(fields),
      reason: string('Why nobody needs to declare them.', { minLength: 1 }),
      until: until('The last day (UTC) or instant on which this holds; without it, permanently.'),
    }),
    'Things that a drift report lists as known and does not count.',
  ).optional()
}

const project: Fields = {
  id: id('The project.'),
  orgId: id('Organization that owns the project.').optional(),
}

const HEAD_PARTS: Readonly<Record<string, ManifestPart>> = {
  version: { type: integer('').type, summary: 'Version of the manifest format: 1.' },
  name: {
    type: { is: 'string', minLength: 1, maxLength: NAME_LENGTH },
    summary: 'The name of the declaration; recorded in the state.',
  },
  state: {
    type: { is: 'string', minLength: 1, maxLength: 2000 },
    summary:
      'Where the state is: a file beside this one, or an address. The default is `deploymgmt.state.json`.',
  },
  otherStates: {
    type: { is: 'set', of: { is: 'string', minLength: 1, maxLength: 2000 }, atLeast: 1 },
    summary:
      'States of other manifests that use the same key, written as in `state`. What they record counts as known, although nothing here declares it.',
  },
  remove: {
    type: { is: 'set', of: { is: 'string', minLength: 1 } },
    summary: 'Addresses of entries of an earlier --file that are not declared here: SECTION.NAME.',
  },
}

/** What entries refer to, and the conditions around them. */
const AROUND_ENTRIES: Readonly<Record<string, ManifestPart>> = {
  variables: {
    type: { is: 'map', noun: 'variable', of: { is: 'object', fields: variable } },
    summary: 'Values that --var NAME=VALUE and --var-file FILE set, used as ${var.NAME}.',
  },
  projects: {
    type: { is: 'map', noun: 'project', of: { is: 'object', fields: project } },
    summary: 'Names and organizations of projects, used as ${projects.NAME.id}.',
  },
  key: {
    type: { is: 'object', fields: key },
    summary: 'Facts about the calling key.',
  },
  gates: {
    type: {
      is: 'map',
      noun: 'project',
      of: { is: 'list', of: { is: 'object', fields: gate, shorthand: 'gate' } },
    },
    summary:
      'Conditions that have to hold in a project before anything in it is changed, by the name of the project.',
  },
}

type ManifestParts = Readonly<Record<string, ManifestPart>>

/**
 * The whole manifest, part by part, in the order in which people write it. Cached, because each step of a read asks.
 */
export const manifestParts = oncePer((kinds: readonly KindDefinition[]): ManifestParts => ({
  ...HEAD_PARTS,
  ...AROUND_ENTRIES,
  unmanaged: {
    type: { is: 'object', fields: { ignore: ignored(kinds) } },
    summary: 'Things that exist, that nobody declares, and that are known and accepted.',
  },
  defaults: {
    type: { is: 'object', fields: inheritable(kinds) },
    summary: 'Values for entries that do not set their own.',
  },
  ...Object.fromEntries(
    kinds.map((kind): [string, ManifestPart] => [
      kind.section,
      { type: { is: 'map', noun: kind.title.toLowerCase(), of: entryType(kind) }, summary: kind.summary },
    ]),
  ),
}))

/** Fields that a creation needs. */
export const neededToCreate = (kind: KindDefinition): string[] =>
  Object.entries(declarable(kind))
    .filter(([, field]) => field.need === 'to-create')
    .map(([name]) => name)
