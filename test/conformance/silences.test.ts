import { isNone } from '@deploymgmt/provider/core'
import { kinds } from '@deploymgmt/provider/kinds'
import { describe, expect, test } from 'vitest'

const silencing = kinds.flatMap(({ silences, ...kind }) => (isNone(silences) ? [] : [{ ...kind, silences }]))

test('at most one kind silences alerts, and the silence command creates things of that kind', () => {
  expect(silencing.length).toBeLessThanOrEqual(1)
})

describe.each(silencing)('$section', ({ silences, fields, release, lifetime, identity }) => {
  const { ending, ...words } = silences

  test('have fields for the alert types, the start, the end and the reason', () => {
    for (const name of Object.values(words)) expect(fields).toHaveProperty(name)
    expect(fields[words.types]?.type).toMatchObject({ is: 'set', of: { is: 'enum' } })
    expect([fields[words.from]?.type.is, fields[words.to]?.type.is]).toEqual(['instant', 'instant'])
  })

  test('are ended by a way of removal that the kind has', () => {
    expect(release).toHaveProperty(ending)
  })

  test('end by themselves at their declared end, and belong to one place', () => {
    expect(lifetime).toMatchObject({ endsAt: words.to })
    expect(identity.scope).toHaveLength(1)
  })
})
