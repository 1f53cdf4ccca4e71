import { isNone, type KindDefinition, type None, type Write } from '@deploymgmt/provider/core'
import { expect } from 'vitest'
import type { Case, Line } from '../support/line.ts'
import type { Lifetime, Specimen } from '../support/specimen.ts'
import {
  cellOf,
  expectHeld,
  expectNothingSent,
  expectReason,
  expectRefused,
  named,
  thingOf,
  writeOf,
} from '../support/words.ts'

const editOf = ({ edits }: Specimen, name: string) => {
  const edit = edits[name]
  if (edit === undefined) throw new Error(`the specimen has no edit of ${name}`)
  return edit
}

const changes = ({ operation, fields }: Write): Case => ({
  title: `sends ${fields.join(', ')}, each alone when it alone was edited`,
  async show(scene) {
    const { specimen } = scene
    const { kind, managed, contract } = specimen
    named(kind, 'Change', operation)
    expect(contract.change === 'no' ? [] : contract.change.fields).toEqual(fields)
    await scene.applied({ mine: managed.entry })
    const request = writeOf(specimen, await thingOf(scene, managed))
    const [method, path] = request.split(' ')
    let entry = managed.entry
    for (const name of fields) {
      const { to, body } = editOf(specimen, name)
      entry = { ...entry, [name]: to }
      await scene.declare({ mine: entry })
      expect((await scene.plan()).of('mine')).toMatchObject({
        action: 'update',
        fields: [{ path: name, after: to }],
        requests: [{ method, path }],
      })
      expect(await scene.apply()).toMatchObject({ code: 0 })
      expect((await scene.sent()).writes).toEqual([request])
      expect(scene.bodies).toEqual([body])
      await scene.forget()
    }
    expectHeld(specimen, await thingOf(scene, managed), entry)
    expect(await scene.plan()).toMatchObject({ code: 0, document: { inSync: true } })
  },
})

const freezes = (names: readonly string[]): Case => ({
  title: `cannot change ${names.join(', ')}, which the creation alone takes: each is blocked`,
  async show(scene) {
    const { specimen } = scene
    const { managed } = specimen
    await scene.applied({ mine: managed.entry })
    const before = await thingOf(scene, managed)
    const edits = names.map((name) => [name, editOf(specimen, name).to] as const)
    for (const [name, to] of edits) {
      await scene.declare({ mine: { ...managed.entry, [name]: to } })
      const plan = await scene.plan()
      expect(plan.code).toBe(2)
      const fields = [{ path: name, before: managed.entry[name], after: to }]
      expect(plan.of('mine')).toMatchObject({ action: 'blocked', fields, requests: [] })
      expect(plan.of('mine').byHand).toMatch(/^By hand: /)
      expect(plan.of('mine').reason).toMatch(new RegExp(`^${name} .*no call to change it`))
    }
    await scene.declare({ mine: { ...managed.entry, ...Object.fromEntries(edits) } })
    expect((await scene.apply()).code).toBe(2)
    await expectNothingSent(scene)
    expect(await thingOf(scene, managed)).toEqual(before)
  },
})

const ends = ({ running, over, edit, later }: Lifetime): Case => ({
  title: 'is possible until it ends: then it is expired, and later dates make a new one',
  async show(scene) {
    const { kind, managed, contract, identityOf, things } = scene.specimen
    if (!isNone(kind.lifetime))
      expect(cellOf(kind, 'Change')).toContain(`while \`${kind.lifetime.endsAt}\` is in the future`)
    await scene.applied({ mine: managed.entry })
    const thing = await thingOf(scene, managed)
    await scene.declare({ mine: { ...managed.entry, ...edit } })
    await running(scene)
    expect((await scene.plan()).of('mine').action).toBe('update')
    await over(scene)
    const plan = await scene.plan()
    expect(plan.code).toBe(0)
    expect(plan.of('mine')).toMatchObject({ action: 'expired', requests: [] })
    expect(await scene.apply()).toMatchObject({ code: 0 })
    await expectNothingSent(scene)
    await scene.declare({ mine: { ...managed.entry, ...later } })
    expect((await scene.plan()).of('mine').action).toBe('create')
    expect(await scene.apply()).toMatchObject({ code: 0 })
    expect((await scene.sent()).writes).toEqual([contract.create])
    const after = things(await scene.dump())
    expect(after).toContainEqual(thing)
    const [record] = Object.values(await scene.recorded())
    expect(record.identity).not.toEqual(identityOf(thing))
    expect(after.map(identityOf)).toContainEqual(record.identity)
  },
})

/** No field can be declared that could differ, so no change is ever planned. */
const cannot = (word: None): Case => ({
  title: 'is not possible: no field of it can be declared, and what is changed there is no difference',
  async show(scene) {
    const { kind, managed, contract, unchangeable, things } = scene.specimen
    expectReason(cellOf(kind, 'Change'), word.none)
    expect(contract.change).toBe('no')
    if (unchangeable === undefined) throw new Error('the specimen does not say what cannot be changed')
    await expectRefused(scene, unchangeable.declared, word)
    await scene.applied({ mine: managed.entry })
    await scene.tamper((dump) => unchangeable.tamper(things(dump).find(managed.is)))
    expect(await scene.plan()).toMatchObject({ code: 0, document: { inSync: true } })
    expect(await scene.drift()).toMatchObject({ code: 0, document: { summary: { 'in-sync': 1 } } })
    expect(await scene.apply()).toMatchObject({ code: 0 })
    await expectNothingSent(scene)
  },
})

/** Fields that can only be set on creation, except secrets, which are not compared. */
export const createOnly = ({ fields }: KindDefinition): string[] =>
  Object.keys(fields).filter(
    (name) => fields[name]?.change === 'create-only' && fields[name]?.type.is !== 'secret',
  )

const cases = ({ kind, lifetime }: Specimen): Case[] => {
  const { write } = kind
  if (isNone(write)) return [cannot(write)]
  const frozen = createOnly(kind)
  return [
    changes(write),
    ...(frozen.length === 0 ? [] : [freezes(frozen)]),
    ...(lifetime === undefined ? [] : [ends(lifetime)]),
  ]
}

export const change: Line = { word: 'Change', cases }
