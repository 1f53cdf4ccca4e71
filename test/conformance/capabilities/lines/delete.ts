import { isNone, type Absence, type None } from '@deploymgmt/provider/core'
import { kinds } from '@deploymgmt/provider/kinds'
import { expect } from 'vitest'
import type { Case, Line } from '../support/line.ts'
import type { Specimen } from '../support/specimen.ts'
import { call, cellOf, expectReason, expectRefused, named, SCOPE, spoken, thingOf } from '../support/words.ts'

/** The values of the key field, if the API lists them. */
const keysOf = ({ kind }: Specimen): readonly string[] => {
  const type = kind.fields[kind.identity.key]?.type
  return type?.is === 'enum' ? type.values : []
}

const deletes = (
  { operation, deletable, byHand }: Absence,
  removal: NonNullable<Specimen['removal']>,
): Case => ({
  title: 'deletes what must not be there, whatever endpoint takes, and blocks the others',
  fixture: removal.fixture,
  async show(scene) {
    const { specimen } = scene
    const { kind, contract, things, identityOf } = specimen
    const { ensures } = kind.expand
    if (ensures === undefined || contract.remove === 'no') throw new Error('nothing can be declared absent')
    named(kind, 'Delete', operation)
    const { key } = kind.identity
    const names = keysOf(specimen)
    expect(names.filter((name) => !deletable.includes(name))).toEqual(removal.stays)
    await scene.declare(
      Object.fromEntries(names.map((name) => [name, { [key]: name, [ensures.field]: ensures.absent }])),
    )
    const there = deletable.filter((name) => !removal.neverThere.includes(name))
    const plan = await scene.plan()
    const { remove } = contract
    for (const name of names) {
      const identity = { ...SCOPE, [key]: name }
      const [method, path] = remove(name).split(' ')
      expect(call(operation, identity)).toBe(remove(name))
      const wanted = removal.neverThere.includes(name)
        ? { action: 'unchanged', requests: [] }
        : deletable.includes(name)
          ? { action: 'delete', requests: [{ method, path }], notes: ['a deletion cannot be undone'] }
          : { action: 'blocked', requests: [], byHand: spoken(byHand, identity) }
      expect(plan.of(name)).toMatchObject(wanted)
    }
    expect((await scene.apply()).code).toBe(2)
    const { writes } = await scene.sent()
    expect(writes.toSorted()).toEqual(there.map(remove).toSorted())
    expect(things(await scene.dump()).map((thing) => identityOf(thing)[key])).toEqual(removal.stays)
  },
})

const DELETES = kinds.flatMap(({ expand, absence }) =>
  isNone(absence) || expand.ensures === undefined ? [] : [{ [expand.ensures.field]: expand.ensures.absent }],
)

/** Nothing that can be declared deletes it, and removing its entry leaves it at the service. */
const cannot = (word: None): Case => ({
  title: 'is not possible: it cannot be declared absent, and stays when its entry is taken out',
  async show(scene) {
    const { kind, managed, contract } = scene.specimen
    expectReason(cellOf(kind, 'Delete'), word.none)
    expect(contract.remove).toBe('no')
    for (const asking of DELETES) await expectRefused(scene, asking, word)
    // Release tests this for every way of removal.
    await scene.applied({ mine: managed.entry })
    const count = (await scene.things()).length
    await scene.declare({})
    expect((await scene.plan()).of('mine').action).toBe('release')
    expect(await scene.apply()).toMatchObject({ code: 0 })
    await thingOf(scene, managed)
    expect(await scene.things()).toHaveLength(count)
    expect((await scene.sent()).writes.filter((request) => request.startsWith('DELETE'))).toEqual([])
  },
})

const cases = ({ kind, removal }: Specimen): Case[] => {
  const { absence } = kind
  if (isNone(absence)) return [cannot(absence)]
  if (removal === undefined) throw new Error(`the specimen of ${kind.kind} does not say what is deleted`)
  return [deletes(absence, removal)]
}

export const remove: Line = { word: 'Delete', cases }
