import {
  isNone,
  pathParameters,
  type DataSourceDefinition,
  type Field,
  type Fields,
  type FieldType,
  type KindDefinition,
  type None,
  type Operation,
  type Values,
} from '@deploymgmt/provider/core'
import { dataSources } from '@deploymgmt/provider/data-sources'
import { checkArguments, checkManifest } from '@deploymgmt/provider/core/check'
import { kinds } from '@deploymgmt/provider/kinds'
import { CORE_SCHEMA, load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { ENDPOINTS } from '../support/specified-endpoints.ts'
import { faultsOf } from './support/faults.ts'

/** Rules for every definition; a new kind or data source is checked as soon as it is registered. */

const isOperation = (value: object): value is Operation => 'method' in value && 'endpoint' in value

/** All objects in a definition for which `wanted` holds, at any depth. */
const findAll = <T extends object>(value: unknown, wanted: (value: object) => value is T): T[] => {
  if (typeof value !== 'object' || value === null) return []
  if (wanted(value)) return [value]
  return Object.values(value).flatMap((inner: unknown) => findAll(inner, wanted))
}
const operationsOf = (definition: KindDefinition | DataSourceDefinition): Operation[] =>
  findAll(definition, isOperation)

const everyField = (fields: Fields): [string, Field][] =>
  Object.entries(fields).flatMap(([name, field]): [string, Field][] => [
    [name, field],
    ...inside(field.type).map(([inner, its]): [string, Field] => [`${name}.${inner}`, its]),
  ])
const inside = (type: FieldType): [string, Field][] => {
  if (type.is === 'object') return everyField(type.fields)
  return type.is === 'set' || type.is === 'list' ? inside(type.of) : []
}
const isEnumeration = (value: object): value is Extract<FieldType, { is: 'enum' }> =>
  'is' in value && value.is === 'enum'

const NUMBERS = ENDPOINTS.map(([number]) => number)

/** A fragment becomes part of a sentence in the docs; sentences stand alone. */
const fragment = /^[^\sA-Z].*[^.]$/s
const sentence = /^[^\sa-z].*\.$/s

const definitions: readonly { name: string; definition: KindDefinition | DataSourceDefinition }[] = [
  ...kinds.map((kind) => ({ name: `the kind ${kind.kind}`, definition: kind })),
  ...dataSources.map((source) => ({ name: `the data source ${source.name}`, definition: source })),
]

describe.each(definitions)('$name', ({ definition }) => {
  const fields: Fields = 'arguments' in definition ? definition.arguments : definition.fields

  test('calls endpoints by numbers that the specification has', () => {
    const operations = operationsOf(definition)
    expect(operations.length).toBeGreaterThan(0)
    for (const { endpoint } of operations) expect(NUMBERS).toContain(endpoint)
  })

  test('has a field for every parameter of its paths, and it names the thing', () => {
    for (const { path } of operationsOf(definition))
      for (const parameter of pathParameters(path)) {
        expect(fields).toHaveProperty(parameter)
        expect(fields[parameter]?.part).toBe('name')
      }
  })

  test('says what it and each of its fields is, in sentences', () => {
    expect(definition.summary).toMatch(sentence)
    const all = 'result' in definition ? { ...definition.result, ...fields } : fields
    for (const [name, field] of everyField(all))
      expect(`${name}: ${field.summary}`).toMatch(/: [^\sa-z].*\.$/s)
  })

  test('has values and a noun in every enumeration, and no value twice', () => {
    for (const { values, noun } of findAll(definition, isEnumeration)) {
      expect(values.length).toBeGreaterThan(0)
      expect(noun).not.toBe('')
      expect(new Set(values).size).toBe(values.length)
    }
  })

  test('has notes that are sentences', () => {
    for (const note of definition.docs.notes) expect(note).toMatch(/^\S.*\.$/s)
  })
})

test('kinds and data sources together use all endpoints', () => {
  const used = definitions
    .flatMap(({ definition }) => operationsOf(definition))
    .map(({ endpoint }) => endpoint)
  expect([...new Set(used)].toSorted((a, b) => a - b)).toEqual(NUMBERS)
})

test('one endpoint is one method and path wherever it is named', () => {
  const spelt = new Map<number, string>()
  for (const { endpoint, method, path } of definitions.flatMap(({ definition }) =>
    operationsOf(definition),
  )) {
    const call = `${method} ${path}`
    expect(spelt.get(endpoint) ?? call).toBe(call)
    spelt.set(endpoint, call)
  }
})

test('names of kinds, sections and data sources are unique', () => {
  for (const names of [
    kinds.map(({ kind }) => kind),
    kinds.map(({ section }) => section),
    dataSources.map(({ name }) => name),
  ])
    expect(new Set(names).size).toBe(names.length)
})

describe.each(kinds.map((kind) => ({ name: kind.kind, kind })))('the kind $name', ({ kind }) => {
  test('gives a reason for everything that it lacks', () => {
    const missing = findAll(kind, (value): value is None => isNone(value))
    expect(missing.length).toBeGreaterThan(0)
    for (const { none } of missing) expect(none).toMatch(fragment)
    for (const byHand of missing.flatMap((each) => each.byHand ?? [])) expect(byHand).toMatch(sentence)
  })

  test('says nothing that the engine would pass over', () => {
    expect(faultsOf(kind)).toEqual([])
  })

  test('says what each way of removal does', () => {
    for (const { summary } of Object.values(kind.release)) expect(summary).toMatch(sentence)
  })

  test('has an example in YAML of its own section, which a manifest can hold', () => {
    const example = load(kind.docs.example, { schema: CORE_SCHEMA }) as Values
    expect(Object.keys(example)).toEqual([kind.section])
    expect(checkManifest(kinds, example)).toEqual([])
  })
})

describe.each(dataSources.map((source) => ({ name: source.name, source })))(
  'the data source $name',
  ({ name, source }) => {
    test('is named in snake_case', () => {
      expect(name).toMatch(/^[a-z]+(?:_[a-z]+)*$/)
    })

    test('reads, and has the shape of what its endpoint answers', () => {
      expect(source.operation.method).toBe('GET')
      expect(source.shape).toBe(source.operation.many ? 'list' : 'one')
    })

    test('takes a limit if it is a list', () => {
      expect(Object.hasOwn(source.arguments, 'limit')).toBe(source.shape === 'list')
    })

    test('puts each argument that names something into its path, and demands it', () => {
      const parameters = pathParameters(source.operation.path)
      const named = Object.entries(source.arguments).filter(([, field]) => field.part === 'name')
      expect(named.map(([argument]) => argument).toSorted()).toEqual(parameters.toSorted())
      for (const [, field] of named) {
        expect(field.need).toBe('always')
        // A part of a path has to be checked more strictly than free text.
        expect(['id', 'cidr', 'enum']).toContain(field.type.is)
      }
    })

    test('has results that the service tells and nobody declares', () => {
      for (const [path, field] of everyField(source.result))
        expect([path, field.change]).toEqual([path, 'computed'])
    })

    test('says project where the API says group', () => {
      const all = [...everyField(source.result), ...everyField(source.arguments)]
      expect(all.map(([path]) => path).filter((path) => /group/i.test(path))).toEqual([])
    })

    test('has an example that can be sent', () => {
      expect(checkArguments(source, source.docs.example)).toEqual([])
    })
  },
)
