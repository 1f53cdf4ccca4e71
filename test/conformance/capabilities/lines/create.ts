import { isNone, type Create } from '@deploymgmt/provider/core'
import { expect } from 'vitest'
import type { Case, Line } from '../support/line.ts'
import type { Scene } from '../support/scene.ts'
import type { Specimen } from '../support/specimen.ts'
import {
  call,
  expectHeld,
  expectNothingSent,
  expectRecorded,
  named,
  SCOPE,
  spoken,
  thingOf,
  told,
} from '../support/words.ts'
import { cannot, cannotUnseen } from './create-not.ts'

const creates = ({ operation }: Create): Case => ({
  title: 'is what the table names, and holds what was declared',
  async show(scene) {
    const { specimen } = scene
    const { kind, contract, absent } = specimen
    const request = call(operation, SCOPE)
    named(kind, 'Create', operation)
    expect(request).toBe(contract.create)
    await scene.declare({ mine: absent.entry })
    const before = await scene.things()
    const plan = await scene.plan()
    expect(plan.code).toBe(2)
    const [method, path] = request.split(' ')
    expect(plan.of('mine')).toMatchObject({
      action: 'create',
      requests: [{ method, path }],
      evidence: { level: 'unknown' },
    })
    await expectNothingSent(scene)
    expect(await scene.apply()).toMatchObject({ code: 0 })
    expect((await scene.sent()).writes).toEqual([request])
    expect(scene.bodies).toEqual([absent.body])
    const thing = await thingOf(scene, absent)
    expect(await scene.things()).toHaveLength(before.length + 1)
    expectHeld(specimen, thing, absent.entry)
    await expectRecorded(scene, thing)
    const after = await scene.plan()
    expect(after).toMatchObject({ code: 0, document: { inSync: true } })
    expect(after.of('mine')).toMatchObject({ action: 'unchanged', evidence: { level: 'recorded' } })
  },
})

/** The service makes the thing, but its answer is lost. */
const applyAndLose = async (scene: Scene, { method }: Create['operation']): Promise<string> => {
  await scene.control('POST', 'faults', { method, path: '.', fault: 'reset-after', count: 1 })
  await scene.declare({ mine: scene.specimen.absent.entry })
  const lost = await scene.apply()
  expect(lost).toMatchObject({ code: 3 })
  return told(lost)
}

const loses = ({ operation, lost }: Create): Case => ({
  title: 'whose answer is lost is settled as the table says, and never sent again',
  async show(scene) {
    const { absent } = scene.specimen
    const said = await applyAndLose(scene, operation)
    const thing = await thingOf(scene, absent)
    const next = await scene.apply()
    if (isNone(lost)) {
      expect(next).toMatchObject({ code: 3 })
      const { kind, identityOf } = scene.specimen
      const address = `${kind.section}.mine`
      for (const text of [said, told(next)])
        expect(text).toMatch(new RegExp(`deploymgmt state resolve '?${address}'? --created ID`))
      const id = identityOf(thing)[kind.identity.key] ?? ''
      expect(await scene.run('state', 'resolve', address, '--created', id)).toMatchObject({ code: 0 })
    } else expect(next).toMatchObject({ code: 0 })
    const { writes } = await scene.sent()
    expect(writes.filter((write) => write.startsWith(operation.method))).toHaveLength(1)
    expect(await scene.plan()).toMatchObject({ code: 0 })
    if (isNone(lost) || !('actor' in lost)) await expectRecorded(scene, await thingOf(scene, absent))
    // It is recorded without an id until an event tells the id.
    else expect(Object.values(await scene.recorded())).toMatchObject([{ identity: {} }])
  },
})

const conflicts = (conflict: string): Case => ({
  title: 'of one that exists is refused, and says what to do',
  async show(scene) {
    const { kind, absent, there, inWords } = scene.specimen
    const [unique = ''] = kind.identity.unique
    const existing = inWords(await thingOf(scene, there))[unique]
    await scene.declare({ mine: { ...absent.entry, [unique]: existing } })
    const refused = await scene.apply()
    expect(refused.code).toBe(1)
    expect(told(refused)).toContain('DM-ALREADY-EXISTS')
    expect(told(refused)).toContain(spoken(conflict, {}))
    expect(await scene.recorded()).toEqual({})
  },
})

const cases = ({ kind: { establish, observe } }: Specimen): Case[] => {
  const { create } = establish
  if (isNone(create))
    return [
      cannot(create),
      ...(observe.how === 'parts' ? [cannotUnseen(create, Object.keys(observe.parts))] : []),
    ]
  return [
    creates(create),
    loses(create),
    ...(create.conflict === undefined ? [] : [conflicts(create.conflict)]),
  ]
}

export const create: Line = { word: 'Create', cases }
