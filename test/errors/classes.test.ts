import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LedgerError } from '../../reconciler/errors/index.ts'
import { answers } from './provoked/answers.ts'
import { defects } from './provoked/defects.ts'
import { journal } from './provoked/journal.ts'
import { manifests } from './provoked/manifests.ts'
import { network } from './provoked/network.ts'
import { planning } from './provoked/planning.ts'
import { settings } from './provoked/settings.ts'
import { state } from './provoked/state.ts'
import { trouble } from './provoked/trouble.ts'
import { words } from './provoked/words.ts'
import { BASES, CLASSES, classesIn } from './support/classes.ts'
import { scene, type Table } from './support/provocation.ts'
import { codeIn, expectNoSecret, expectParts, expectOwnWords } from './support/told.ts'

const TABLES: readonly Table[] = [
  settings,
  network,
  answers,
  trouble,
  manifests,
  planning,
  words,
  state,
  journal,
  defects,
]
const PROVOKED: Table = Object.assign({}, ...TABLES)

describe.each(CLASSES.map(({ name, code }) => ({ name, code })))('$name', ({ name, code }) => {
  it.each(PROVOKED[name] ?? [])('is told when $when', async (way) => {
    const here = await scene(way.install)
    const ran = await way.meet(here)
    expect({ exit: ran.code, code: codeIn(ran), ran }).toMatchObject({ exit: way.exit ?? 1, code })
    expectParts(ran, way)
    if (code !== 'DM-INTERNAL') expectOwnWords(ran)
    await expectNoSecret(ran, here)
  })
})

describe('the classes of errors', () => {
  const names = CLASSES.map(({ name }) => name)

  it('are each provoked, and nothing else is', () => {
    const provoked = TABLES.flatMap((table) => Object.keys(table))
    expect(provoked.toSorted()).toEqual(names.toSorted())
    expect(provoked.filter((name) => PROVOKED[name]?.length === 0)).toEqual([])
  })

  it('have each a code of their own', () => {
    expect(new Set(CLASSES.map(({ code }) => code)).size).toBe(CLASSES.length)
  })

  it.each(CLASSES.map((each) => [each.code, each] as const))(
    '%s has a meaning and a remedy, in sentences',
    (code, { meaning, remedy }) => {
      expect(code).toMatch(/^DM-[A-Z]+(?:-[A-Z]+)*$/)
      expect(meaning).toMatch(/^[A-Z].*\.$/)
      expect(remedy).toMatch(/^(?:[A-Z]|deploymgmt ).*\.$/)
    },
  )

  it('of the state and its journal stop an apply; what a lock refuses comes before one', () => {
    const ofState = CLASSES.map(({ code }) => code).filter((code) => /^DM-(?:STATE|JOURNAL)-/.test(code))
    const before = ['DM-STATE-LOCKED', 'DM-STATE-ADDRESS', 'DM-STATE-MISSING']
    const stopping = CLASSES.filter((each) => each.prototype instanceof LedgerError)
    expect(stopping.map(({ code }) => code)).toEqual(ofState.filter((code) => !before.includes(code)))
  })

  it('without a code are the bases of others', () => {
    const childless = BASES.filter((base) => !CLASSES.some((each) => each.prototype instanceof base))
    expect(childless).toEqual([])
  })

  it('are all exported by the index of their folder', async () => {
    const root = join(import.meta.dirname, '..', '..')
    const found: string[] = []
    for await (const file of glob('{provider,reconciler}/errors/*-error.ts', { cwd: root }))
      found.push(...classesIn(await import(join(root, file))).map(({ name }) => name))
    expect(found.toSorted()).toEqual([...CLASSES, ...BASES].map(({ name }) => name).toSorted())
  })
})
