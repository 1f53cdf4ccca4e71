import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseInstant } from '../../../../provider/core/instant.ts'
import { eventsOf } from '../../../../provider/engine/judge/by-field.ts'
import { keptOf, replacing, since } from '../../../../provider/engine/values/kept-things.ts'
import type { EarlierWrite, RecordedResource } from '../../../../provider/engine/values/model.ts'
import { record, recordedAt } from '../../../../provider/engine/values/recorded-at.ts'

const START = Date.parse('2026-11-20T12:00:00Z')
const instant = (second: number): string => new Date(START + second * 1000).toISOString()

const thingOf = (n: number) => ({ kind: n % 2 === 0 ? 'a' : 'b', identity: { groupId: 'g', id: String(n) } })

const written = (n: number, second: number): EarlierWrite => ({
  ...thingOf(n),
  lastWrite: { from: instant(second), to: instant(second), by: 'ciadmin', sent: [] },
})

const steps = fc.array(
  fc.record({ n: fc.nat(6), second: fc.nat(20), keeps: fc.boolean(), from: fc.option(fc.nat(20)) }),
)

test('what is kept of things is the same as if the whole list was gone through each time', () => {
  fc.assert(
    fc.property(fc.boolean(), steps, (isSetBack, all) => {
      const ordered = isSetBack ? all : all.toSorted((a, b) => a.second - b.second)
      let kept: readonly EarlierWrite[] = []
      let plain: readonly EarlierWrite[] = []
      for (const { n, second, keeps, from } of ordered) {
        const by = keeps ? [written(n, second)] : []
        kept = replacing(kept, thingOf(n), by)
        plain = [...plain.filter(({ identity }) => identity['id'] !== String(n)), ...by]
        const after = START + (from ?? 0) * 1000
        kept = since(kept, after)
        plain = plain.filter(({ lastWrite }) => parseInstant(lastWrite.to) >= after)
        expect(kept).toStrictEqual(plain)
        for (const each of plain) expect(keptOf(kept, each)).toBe(each)
        expect(keptOf(kept, thingOf(99))).toBeUndefined()
      }
    }),
  )
})

test('a list that was read is copied before it is changed', () => {
  const read = [written(1, 0), written(2, 1)]
  expect(replacing(read, thingOf(1), [])).toStrictEqual([read[1]])
  expect(since(read, START + 1_000)).toStrictEqual([read[1]])
  expect(read).toHaveLength(2)
})

test('a list that was read loses what is too old wherever that stands: a clock may have been set back', () => {
  const read = [written(1, 5), written(2, 0), written(3, 9)]
  expect(since(read, START + 3_000)).toStrictEqual([read[0], read[2]])
})

test('where a thing is recorded is the same as if all records were gone through each time', () => {
  const moves = fc.array(fc.record({ at: fc.nat(4), n: fc.option(fc.nat(3)), asks: fc.boolean() }))
  fc.assert(
    fc.property(moves, (all) => {
      const records: Record<string, RecordedResource> = {}
      for (const { at, n, asks } of all) {
        // Only its identity matters here.
        record(records, String(at), n === null ? undefined : (thingOf(n) as unknown as RecordedResource))
        for (const each of asks ? [0, 1, 2, 3] : []) {
          const there = Object.keys(records).filter((key) => records[key]?.identity['id'] === String(each))
          expect([...recordedAt(records, thingOf(each))].toSorted()).toStrictEqual(there)
        }
      }
    }),
  )
})

test('the events of a value are found in their order, and none of another', () => {
  const events = [{ id: 'a', of: '1' }, { id: 'b', of: '2' }, { id: 'c', of: '1' }, { id: 'd' }]
  expect(eventsOf(events, 'of', '1')).toStrictEqual([events[0], events[2]])
  expect(eventsOf(events, 'id', 'd')).toStrictEqual([events[3]])
  expect(eventsOf(events, 'of', '3')).toStrictEqual([])
})
