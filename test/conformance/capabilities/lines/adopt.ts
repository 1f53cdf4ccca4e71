import { isNone, type Adopt, type None } from '@deploymgmt/provider/core'
import { expect } from 'vitest'
import type { Case, Line } from '../support/line.ts'
import type { Specimen } from '../support/specimen.ts'
import {
  cellOf,
  expectHeld,
  expectNothingSent,
  expectReason,
  expectRefused,
  expectRecorded,
  thingOf,
  told,
  writeOf,
  written,
} from '../support/words.ts'

const adopts = ({ learnBy }: Adopt): Case => ({
  title: 'takes over what is there, and writes what differs',
  async show(scene) {
    const { specimen } = scene
    const { kind, there, adopted, contract } = specimen
    expect(contract.adopt).toBe('by id')
    expect(cellOf(kind, 'Adopt')).toContain(`by its \`${kind.identity.declaredAs}\``)
    const thing = await thingOf(scene, there)
    const count = (await scene.things()).length
    await scene.declare({ mine: there.entry })
    const plan = await scene.plan()
    expect(plan).toMatchObject({ code: 2, document: { summary: { adopt: 1, create: 0 } } })
    expect(plan.of('mine').action).toBe('adopt')
    await expectNothingSent(scene)
    expect(await scene.apply()).toMatchObject({ code: 0 })
    expect((await scene.sent()).writes).toEqual(adopted.map(() => writeOf(specimen, thing)))
    expect(scene.bodies).toEqual(adopted)
    if (learnBy.length > 0) expect(Object.keys(scene.bodies[0] as object)).toEqual(learnBy)
    expect(await scene.things()).toHaveLength(count)
    expectHeld(specimen, await thingOf(scene, there), there.entry)
    await expectRecorded(scene, thing)
    expect(await scene.plan()).toMatchObject({ code: 0, document: { inSync: true } })
  },
})

const adoptsEqual = ({ learnBy }: Adopt): Case => ({
  title: 'writes no more than it has to where the live values are as declared',
  async show(scene) {
    const { kind, there, inWords } = scene.specimen
    const live = inWords(await thingOf(scene, there))
    const same = Object.fromEntries(written(kind).map((name) => [name, live[name]]))
    await scene.declare({ mine: { ...there.entry, ...same } })
    expect((await scene.plan()).of('mine').action).toBe('adopt')
    expect(await scene.apply()).toMatchObject({ code: 0 })
    // What no endpoint shows can only be learnt by writing it.
    const fields = kind.observe.how === 'everything' ? [] : learnBy.length > 0 ? learnBy : written(kind)
    const [first, ...more] = scene.bodies
    expect({ fields: Object.keys(first ?? {}), more }).toEqual({ fields, more: [] })
    expect(inWords(await thingOf(scene, there))).toMatchObject(same)
    await expectRecorded(scene, await thingOf(scene, there))
  },
})

const requires = ({ field, because }: NonNullable<Adopt['requires']>): Case => ({
  title: `needs ${field}: true, and is blocked without it`,
  async show(scene) {
    const { [field]: _, ...entry } = scene.specimen.there.entry
    await scene.declare({ mine: entry })
    const plan = await scene.plan()
    expect(plan).toMatchObject({ code: 2 })
    expect(plan.of('mine')).toMatchObject({ action: 'blocked', requests: [] })
    expect(plan.of('mine').reason).toContain(`${field}: true`)
    expectReason(plan.of('mine').reason, because)
    const applied = await scene.apply()
    expect(applied.code).toBe(2)
    expectReason(told(applied), because)
    await expectNothingSent(scene)
    expect(await scene.recorded()).toEqual({})
  },
})

const mayBeMissing = (field: string): Case => ({
  title: `of what is not there is blocked, unless ${field}: true`,
  async show(scene) {
    const { absent } = scene.specimen
    await scene.declare({ mine: absent.entry })
    expect((await scene.plan()).of('mine')).toMatchObject({ action: 'blocked', requests: [] })
    await scene.declare({ mine: { ...absent.entry, [field]: true } })
    const plan = await scene.plan()
    expect(plan).toMatchObject({ code: 0, document: { inSync: true } })
    expect(plan.of('mine')).toMatchObject({ action: 'unchanged' })
    expect(await scene.apply()).toMatchObject({ code: 0 })
    await expectNothingSent(scene)
    expect(await scene.recorded()).toEqual({})
  },
})

/** No endpoint distinguishes it from a new one, so nothing can be blocked: it is left alone. */
const cannot = (word: None): Case => ({
  title: 'is not possible: what is there is not taken for what is declared, and stays as it is',
  async show(scene) {
    const { kind, there, contract, identityOf } = scene.specimen
    expect(contract.adopt).toBe('no')
    const theirs = await thingOf(scene, there)
    const { key } = kind.identity
    await expectRefused(scene, { [key]: identityOf(theirs)[key] }, word)
    await scene.declare({ mine: there.entry })
    expect((await scene.plan()).of('mine').action).toBe('create')
    expect(await scene.apply()).toMatchObject({ code: 0 })
    expect(await thingOf(scene, there)).toEqual(theirs)
    const [record] = Object.values(await scene.recorded())
    expect(record.identity[key]).not.toBe(identityOf(theirs)[key])
  },
})

const cases = ({ kind }: Specimen): Case[] => {
  const { adopt: word } = kind.establish
  if (isNone(word)) return [cannot(word)]
  return [
    adopts(word),
    ...(isNone(kind.write) ? [] : [adoptsEqual(word)]),
    ...(word.requires === undefined ? [] : [requires(word.requires)]),
    ...(word.mayBeMissing === undefined ? [] : [mayBeMissing(word.mayBeMissing)]),
  ]
}

export const adopt: Line = { word: 'Adopt', cases }
