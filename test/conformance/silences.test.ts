import { isNone } from '@deploymgmt/provider/core'
import { kinds } from '@deploymgmt/provider/kinds'
import { describe, expect, test } from 'vitest'

const silencing = kinds.flatMap(({ silences, ...kind }) => (isNone(silences) ? [] : [{ ...kind, silences }]))

test('one kind at most keeps alerts quiet: commands that silence make its things', () => {
  expect(silencing.length).toBeLessThanOrEqual(1)
})

describe.each(silencing)('$section', ({ silences, fields, release, lifetime, identity }) => {
  const { ending, ...words } = silences

  test('say with fields of their own of which types, from when, until when and why', () => {
    for (const name of Object.values(words)) expect(fields).toHaveProperty(name)
    expect(fields[words.types]?.type).toMatchObject({ is: 'set', of: { is: 'enum' } })
    expect([fields[words.from]?.type.is, fields[words.to]?.type.is]).toEqual(['instant', 'instant'])
  })

  test('are ended by a way of release that is there', () => {
    expect(release).toHaveProperty(ending)
  })

  test('end by themselves, at the end that they say, in one place each', () => {
    expect(lifetime).toMatchObject({ endsAt: words.to })
    expect(identity.scope).toHaveLength(1)
  })
})
