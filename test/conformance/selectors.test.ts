import type { FieldType, KindDefinition, Values } from '@deploymgmt/provider/core'
import { kinds } from '@deploymgmt/provider/kinds'
import { describe, expect, test } from 'vitest'

/** A sample value of a type, as it can occur in a selector. */
const sampleOf = (type: FieldType): unknown => {
  if (type.is === 'set' || type.is === 'list') return [sampleOf(type.of)]
  if (type.is === 'enum') return type.values[0]
  if (type.is === 'boolean') return true
  if (type.is === 'integer' || type.is === 'number') return 1
  if (type.is !== 'object') return 'sample'
  return Object.fromEntries(Object.entries(type.fields).map(([name, field]) => [name, sampleOf(field.type)]))
}

/** Selectors with a single condition each: if the first condition fails, the others are not looked at. */
const wishesOf = ({ expand: { members }, fields }: KindDefinition): Values[] => {
  const type = members && fields[members.by]?.type
  if (members === undefined || type === undefined) return []
  if (type.is !== 'object') return [{ [members.by]: sampleOf(type) }]
  return Object.entries(type.fields).map(([name, field]) => ({
    [members.by]: { [name]: sampleOf(field.type) },
  }))
}

/** The properties of a live thing that an entry reads. */
const readsOf = ({ expand }: KindDefinition, values: Values): Set<string> => {
  const reads = new Set<string>()
  const thing = new Proxy<Values>(
    {},
    {
      get: (_, name) => {
        reads.add(String(name))
        return undefined
      },
    },
  )
  expand.instances({ values, live: [thing], recorded: [], now: new Date(0) })
  return reads
}

const selecting = kinds.filter((kind) => wishesOf(kind).length > 0)

test('there are kinds whose entries select', () => {
  expect(selecting.some(({ expand }) => expand.looksAt.length > 0)).toBe(true)
})

describe.each(selecting)('the entries of $section', (kind) => {
  const reads = new Set(wishesOf(kind).flatMap((values) => [...readsOf(kind, values)]))

  test('look only at fields and at what looksAt names, since nothing else is kept after reading', () => {
    const known = new Set([...Object.keys(kind.fields), ...kind.expand.looksAt])
    expect([...reads].filter((name) => !known.has(name))).toEqual([])
  })

  test('look at all that looksAt names', () => {
    expect([...reads]).toEqual(expect.arrayContaining([...kind.expand.looksAt]))
  })
})
