import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { serializeState, stateDigest } from '../../../reconciler/state/index.ts'
import { anyJson, anyName } from '../../support/any-text.ts'
import { EVERY_OBEYED, OBEYED } from '../../support/obeyed.ts'
import { sample, stateWith } from './support/samples.ts'

/** The same value with the keys of every object in reverse order. */
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]) => [key, reversed(inner)]),
  )
}

const resources = fc.dictionary(
  anyName().filter((address) => address !== ''),
  anyJson().map((value) => sample('x', value)),
)

test('a state is written with known keys in a fixed order, and everything else sorted', () => {
  const state = stateWith({
    'b.x': {
      ...sample('x'),
      applied: { z: 1, a: { d: 1, c: 2 } },
      identity: { projectId: 'p', id: 'i' },
    },
    'a.x': sample('x'),
  })
  expect(serializeState(state).toString()).toBe(`{
  "version": 1,
  "name": "acme",
  "baseUrl": "https://service.example.com/api/public/v1.0",
  "lineage": "0b1f7c1e-7c54-4b53-9a56-3f0f6a6f7d10",
  "serial": 1,
  "resources": {
    "a.x": {
      "kind": "thing",
      "identity": {
        "id": "x"
      },
      "applied": {
        "value": 1
      },
      "answer": null,
      "adopted": null,
      "onRemove": "forget",
      "lastWrite": null,
      "watermark": "2026-11-20T12:00:00.000Z"
    },
    "b.x": {
      "kind": "thing",
      "identity": {
        "id": "i",
        "projectId": "p"
      },
      "applied": {
        "a": {
          "c": 2,
          "d": 1
        },
        "z": 1
      },
      "answer": null,
      "adopted": null,
      "onRemove": "forget",
      "lastWrite": null,
      "watermark": "2026-11-20T12:00:00.000Z"
    }
  }
}
`)
})

test('equal states have equal bytes, in whatever order their keys came', () => {
  fc.assert(
    fc.property(resources, (table) => {
      const entries = Object.entries(table)
      const other = Object.fromEntries(
        entries
          .toReversed()
          .map(([key, { applied }]) => [
            key,
            { ...sample('x'), applied: { value: reversed(applied['value']) } },
          ]),
      )
      expect(stateDigest(stateWith(other))).toBe(stateDigest(stateWith(table)))
    }),
  )
})

test('a state reads back as it was written', () => {
  fc.assert(
    fc.property(resources, (table) => {
      const state = stateWith(table)
      const plain: unknown = JSON.parse(JSON.stringify(state))
      expect(isDeepStrictEqual(JSON.parse(serializeState(state).toString()), plain)).toBe(true)
    }),
  )
})

test('characters that an editor obeys are escaped, and read back as they were', () => {
  const state = stateWith({ 'things.a': sample('a', EVERY_OBEYED) })
  const text = serializeState(state).toString()
  expect(text).not.toMatch(OBEYED)
  expect(JSON.parse(text)).toStrictEqual(state)
})
