import {
  isNone,
  isReadable,
  partsOf,
  pathParameters,
  type KindDefinition,
  type Operation,
} from '@deploymgmt/provider/core'
import { namesIn } from './names-in.ts'
import { placeholdersIn } from './placeholders-in.ts'

/**
 * What is wrong with a definition although it compiles: the word that says it, and what the engine would make of it.
 * Without these checks, most of it would only show in a plan, as a call that is never sent or a value never compared.
 */
export const faultsOf = (definition: KindDefinition): string[] => [
  ...unknownNames(definition),
  ...wrongIdentity(definition),
  ...wrongCalls(definition),
  ...wrongCreation(definition),
  ...neverCompared(definition),
  ...wrongRelease(definition),
  ...neverDeleted(definition),
  ...neverFound(definition),
  ...wrongPlaceholders(definition),
]

const unknownNames = (definition: KindDefinition): string[] =>
  namesIn(definition).flatMap(({ where, names, must }) =>
    names.flatMap((name) => {
      const field = definition.fields[name]
      if (field === undefined) return [`${where}: the kind has no field ${name}`]
      if (must === 'be written' && !written(definition).includes(name))
        return [`${where}: no call writes ${name}`]
      if (must !== 'be written' && must !== undefined && field.type.is !== must)
        return [`${where}: ${name} has to be of the type ${must}`]
      return []
    }),
  )

const written = ({ write }: KindDefinition): readonly string[] => (isNone(write) ? [] : write.fields)

const namingOf = ({ identity: { scope, key } }: KindDefinition): string[] => [...scope, key]

const wrongIdentity = (definition: KindDefinition): string[] => {
  const { fields } = definition
  const naming = namingOf(definition)
  return [
    ...naming
      .filter((name) => fields[name] !== undefined && fields[name].part !== 'name')
      .map((name) => `identity: ${name} names the thing, and its field lacks names()`),
    ...Object.keys(fields)
      .filter((name) => fields[name]?.part === 'name' && !naming.includes(name))
      .map(
        (name) => `fields.${name}: it has names(), so no body has it, and identity does not have it either`,
      ),
  ]
}

interface Call {
  readonly where: string
  readonly operation: Operation
  readonly method: Operation['method']
  /** What is known when it is sent. */
  readonly known: readonly string[]
}

const callsOf = (definition: KindDefinition): Call[] => {
  const { observe, establish, write, absence, lifetime, identity } = definition
  const { scope } = identity
  const whole = namingOf(definition)
  const { create } = establish
  const read = { method: 'GET' as const }
  return [
    ...(observe.how === 'everything'
      ? [{ where: 'observe.list', operation: observe.list, known: scope, ...read }]
      : []),
    ...(observe.how === 'everything' && !isNone(observe.get)
      ? [{ where: 'observe.get', operation: observe.get, known: whole, ...read }]
      : []),
    ...Object.entries(partsOf(definition)).map(([name, { list }]) => ({
      where: `observe.parts.${name}`,
      operation: list,
      known: whole,
      ...read,
    })),
    ...(isNone(create)
      ? []
      : [
          {
            where: 'establish.create',
            operation: create.operation,
            method: 'POST' as const,
            known: identity.assigned === 'never' ? whole : scope,
          },
        ]),
    ...(isNone(create) || create.place === undefined
      ? []
      : [{ where: 'establish.create.place', operation: create.place, known: scope, ...read }]),
    ...(isNone(write)
      ? []
      : [{ where: 'write', operation: write.operation, method: 'PATCH' as const, known: whole }]),
    ...(isNone(absence)
      ? []
      : [{ where: 'absence', operation: absence.operation, method: 'DELETE' as const, known: whole }]),
    ...(isNone(lifetime)
      ? []
      : [{ where: 'lifetime.timeFrom', operation: lifetime.timeFrom, known: scope, ...read }]),
  ]
}

const LISTS = ['observe.list', 'establish.create.place', 'lifetime.timeFrom']

const wrongCalls = (definition: KindDefinition): string[] =>
  callsOf(definition).flatMap(({ where, operation, method, known }) => [
    ...(operation.method === method
      ? []
      : [`${where}: the engine sends ${method} there, and this is ${operation.method}`]),
    ...(LISTS.includes(where) && !operation.many ? [`${where}: it has to be a list, made with getList`] : []),
    ...pathParameters(operation.path)
      .filter((name) => !known.includes(name))
      .map((name) => `${where}: its path has {${name}}, which identity does not know at that time`),
  ])

const wrongCreation = (definition: KindDefinition): string[] => {
  const { establish, identity } = definition
  const { create } = establish
  if (isNone(create)) return []
  const isTold = pathParameters(create.operation.path).includes(identity.key)
  return [
    ...(identity.assigned === 'never' && !isTold
      ? [
          `establish.create: no body has ${identity.key}, and neither has its path, so nothing names what is made`,
        ]
      : []),
    ...(identity.assigned === 'never' && !isNone(create.lost) && create.lost.by === 'id'
      ? ['establish.create.lost: the service assigns no id that events could name']
      : []),
    ...(create.once === true && create.conflict === undefined
      ? ['establish.create: a second creation is refused, and conflict does not say what a person does']
      : []),
    ...(create.once === true && !isNone(definition.absence)
      ? ['establish.create.once: it says that nothing deletes the thing, and absence has a call']
      : []),
  ]
}

/** What is read is compared with what a call can write; anything else would count as in sync, whatever it is. */
const neverCompared = (definition: KindDefinition): string[] => {
  const parts = Object.keys(partsOf(definition))
  const apart = Object.entries(definition.fields).flatMap(([name, { change, part }]) =>
    part === 'value' && change === 'elsewhere' ? [name] : [],
  )
  const kept = Object.entries(definition.fields).flatMap(([name, { part, change, type }]) =>
    part === 'value' && type.is !== 'secret' && change !== 'computed' && change !== 'elsewhere' ? [name] : [],
  )
  return [
    ...apart
      .filter((name) => !parts.includes(name))
      .map((name) => `fields.${name}: it is comparedOnly(), and observe has no part of this name`),
    ...parts
      .filter((name) => definition.fields[name] !== undefined && !apart.includes(name))
      .map((name) => `observe.parts.${name}: its field lacks comparedOnly()`),
    ...(isReadable(definition)
      ? kept
          .filter((name) => !written(definition).includes(name))
          .map(
            (name) =>
              `fields.${name}: no call changes it, so what is read of it is never compared; make it computed(), or take it out of fields and name it in fixed`,
          )
      : []),
  ]
}

const wrongRelease = (definition: KindDefinition): string[] => {
  const ways = Object.entries(definition.release)
  return [
    ...(ways.length === 0 ? ['release: there has to be a way'] : []),
    ...ways.flatMap(([name, way]) => [
      ...(way.way === 'send' && isNone(definition.write)
        ? [`release.${name}: it sends a body, and write has no call`]
        : []),
      ...(way.way === 'send' && way.ifUntouched === true && !isReadable(definition)
        ? [`release.${name}: no endpoint shows whether it is untouched, so nothing is ever sent`]
        : []),
    ]),
  ]
}

const neverDeleted = ({ absence, expand, fields, identity }: KindDefinition): string[] => {
  if (isNone(absence)) return []
  const type = fields[identity.key]?.type
  return [
    ...(expand.ensures === undefined
      ? ['absence: no entry can say that a thing must not exist, so its call is never sent; use oneOrOnly']
      : []),
    ...(absence.deletable.length === 0 ? ['absence.deletable: it names no key, so nothing is deleted'] : []),
    ...(type?.is === 'enum'
      ? absence.deletable
          .filter((key) => !type.values.includes(key))
          .map((key) => `absence.deletable: ${identity.key} is never ${key}`)
      : []),
  ]
}

const neverFound = (definition: KindDefinition): string[] => {
  const { unmanaged, witness } = definition
  return [
    ...(unmanaged.foundBy === 'list' && !isReadable(definition)
      ? ['unmanaged: observe has no list, so things that nobody declares are never found']
      : []),
    ...(unmanaged.foundBy === 'events' && isNone(witness)
      ? ['unmanaged: witness says that no event is about a thing, so none that nobody declares is ever found']
      : []),
  ]
}

const wrongPlaceholders = (definition: KindDefinition): string[] =>
  placeholdersIn(definition).flatMap(({ where, whole, name, is }) => {
    const known = is === 'aside' ? ['what'] : Object.keys(definition.fields)
    const more = is === 'setting' ? ['onRemove'] : []
    return [...known, ...more].includes(name) ? [] : [`${where}: ${whole} names no field`]
  })
