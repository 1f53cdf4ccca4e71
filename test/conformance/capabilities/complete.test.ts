import { isNone, type KindDefinition } from '@deploymgmt/provider/core'
import { kinds } from '@deploymgmt/provider/kinds'
import { describe, expect, it } from 'vitest'
import { capabilitiesOf } from '../../../scripts/docs/capabilities.ts'
import { createOnly } from './lines/change.ts'
import { nameOf } from './lines/guards.ts'
import { lines, tableLines } from './lines/index.ts'
import { specimens } from './specimens/index.ts'
import type { Specimen } from './support/specimen.ts'

/** Every part of the generated tables needs a case: a new kind, line, way, guard or note fails here first. */

it('every kind of the registry has one specimen, and in its order', () => {
  expect(specimens.map(({ kind }) => kind.kind)).toEqual(kinds.map(({ kind }) => kind))
})

const titlesOf = (specimen: Specimen, word: string): string[] =>
  lines.filter((line) => line.word === word).flatMap(({ cases }) => cases(specimen).map(({ title }) => title))

const countOf = (names: readonly string[], name: string): number =>
  names.filter((each) => each === name).length

const inCode = (names: readonly string[]): string[] => names.map((name) => `\`${name}\``)

describe.each(specimens.map((specimen) => ({ name: specimen.kind.kind, specimen })))(
  'the kind $name',
  ({ specimen }) => {
    const { kind } = specimen

    it('has a case for each cell of the table', () => {
      expect(capabilitiesOf(kind).map(({ word }) => word)).toEqual(tableLines.map(({ word }) => word))
      for (const { word } of capabilitiesOf(kind))
        expect([word, titlesOf(specimen, word).length > 0]).toEqual([word, true])
    })

    it('has a case for each way of release, and for the default', () => {
      const [first = ''] = Object.keys(kind.release)
      const cell = capabilitiesOf(kind).find(({ word }) => word === 'Release')
      expect(cell?.short).toBe(
        inCode(Object.keys(kind.release)).join(', ').replace(`\`${first}\``, `\`${first}\` (default)`),
      )
      const titles = titlesOf(specimen, 'Release')
      for (const way of Object.keys(kind.release)) {
        const shown = titles.filter((title) => title.startsWith(`with onRemove: ${way} `))
        expect([way, shown.length > 0]).toEqual([way, true])
      }
      expect(Object.keys(specimen.release).toSorted()).toEqual(Object.keys(kind.release).toSorted())
      expect(titles.filter((title) => title.startsWith('by default '))).toHaveLength(1)
    })

    it('has an edit of each field that is written, and of each that the creation alone takes', () => {
      const written = isNone(kind.write) ? [] : kind.write.fields
      expect(Object.keys(specimen.edits).toSorted()).toEqual([...written, ...createOnly(kind)].toSorted())
      for (const name of written) expect(specimen.edits[name]?.body).toBeDefined()
    })

    it('has a silent change of each part that is read by itself', () => {
      const parts = kind.observe.how === 'parts' ? Object.keys(kind.observe.parts) : []
      expect(Object.keys(specimen.tamperPart ?? {})).toEqual(parts)
    })

    it('has an act for each type of event whose fields are known, and one at least', () => {
      const known = isNone(kind.witness) ? [] : Object.keys({ ...kind.witness.fields, ...kind.witness.sets })
      for (const type of known) expect(Object.keys(specimen.acts)).toContain(type)
      expect(Object.keys(specimen.acts).length).toBeGreaterThan(0)
    })

    it('has a case for each guard, and one more where the calling key is guarded', () => {
      const wanted = kind.guards.flatMap((guard) =>
        guard.guard === 'keeps' && guard.caller !== undefined
          ? [nameOf(guard), nameOf(guard)]
          : [nameOf(guard)],
      )
      const cases = specimen.guards.map(({ guard }) => guard)
      expect([...new Set(cases)]).toEqual([...new Set(wanted)])
      for (const name of wanted) expect(countOf(cases, name)).toBeGreaterThanOrEqual(countOf(wanted, name))
      expect(titlesOf(specimen, 'Guards')).toHaveLength(cases.length)
    })

    it('has something that shows each note of its page', () => {
      for (const note of kind.docs.notes)
        expect([note, specimen.notes.filter(({ about }) => about.test(note)).length]).toEqual([note, 1])
      expect(specimen.notes).toHaveLength(kind.docs.notes.length)
      const words = specimen.notes.flatMap(({ shownBy }) => shownBy).filter((word) => word !== 'end to end')
      for (const word of words) expect([word, titlesOf(specimen, word).length > 0]).toEqual([word, true])
    })

    it('is what the contract says of it', () => {
      const { contract } = specimen
      expect(endpointsOf(kind)).toEqual(contract.endpoints)
      expect(isNone(kind.establish.create)).toBe(contract.create === 'no')
      expect(isNone(kind.establish.adopt)).toBe(contract.adopt === 'no')
      expect(isNone(kind.write) ? 'no' : kind.write.fields).toEqual(
        contract.change === 'no' ? 'no' : contract.change.fields,
      )
      expect(Object.keys(kind.release)).toEqual(contract.release)
      expect(isNone(kind.absence)).toBe(contract.remove === 'no')
      expect(kind.observe.how === 'nothing').toBe(contract.observe.length === 0)
    })
  },
)

/** The endpoint numbers in the table of a kind. */
const endpointsOf = (kind: KindDefinition): number[] => {
  const text = capabilitiesOf(kind)
    .map(({ whole }) => whole)
    .join('\n')
  const numbers = [...text.matchAll(/\(endpoint (\d+)\)/g)].map((match) => Number(match[1]))
  return [...new Set(numbers)].toSorted((a, b) => a - b)
}
