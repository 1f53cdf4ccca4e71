import { isNone, type None, type Witness } from '@deploymgmt/provider/core'
import { ORGANIZATION_EVENTS } from '@deploymgmt/provider/engine'
import { expect } from 'vitest'
import { spokenOf } from '../../../../provider/engine/judge/events.ts'
import { ONCALL } from '../../../support/installation.ts'
import type { Case, Line } from '../support/line.ts'
import type { Scene } from '../support/scene.ts'
import type { Act, Specimen, Thing } from '../support/specimen.ts'
import { call, cellOf, expectReason, SCOPE, tamperWith, thingOf, writeOf, written } from '../support/words.ts'

const does = async ({ outside }: Scene, { method, path, body }: Act, thing: Thing): Promise<void> => {
  await outside(method, path(thing), body)
}

const newest = async (scene: Scene, type: string): Promise<any> =>
  (await scene.dump()).organizations[0].events.find(({ eventTypeName }: any) => eventTypeName === type)

const tells = (witness: Witness, type: string, act: Act): Case => ({
  title: `${type} about it marks what it speaks of, and names who did it`,
  ...(act.settings === undefined ? {} : { settings: act.settings }),
  async show(scene) {
    const { kind, managed } = scene.specimen
    expect(cellOf(kind, 'Events')).toContain(`\`${witness.event}\``)
    await scene.applied({ mine: { ...managed.entry, ...act.declared } })
    expect(await scene.drift()).toMatchObject({ code: 0, document: { summary: { drifted: 0 } } })
    const thing = await thingOf(scene, managed)
    await does(scene, act, thing)
    const event = await newest(scene, type)
    const { identity, answer, applied } = Object.values(await scene.recorded())[0]
    expect(event[witness.event]).toBe({ ...applied, ...answer, ...identity }[witness.instance])
    const fields = (spokenOf(witness, type) ?? written(kind)).map((path) => ({ path }))
    const actor = { publicKey: ONCALL.publicKey, eventId: event.id, eventTypeName: type }
    const drift = await scene.drift()
    expect(drift).toMatchObject({ code: 2, document: { inSync: false, summary: { drifted: 1 } } })
    expect(drift.of('mine')).toMatchObject({ verdict: 'drifted', fields, actor })
    const plan = await scene.plan()
    const level = kind.observe.how === 'everything' ? 'read' : 'suspect'
    const evidence = { level, events: [{ id: event.id, publicKey: ONCALL.publicKey }] }
    expect(plan.of('mine')).toMatchObject({ action: 'update', fields, evidence, actor })
    await scene.forget()
    expect(await scene.apply()).toMatchObject({ code: 0 })
    const { writes } = await scene.sent()
    expect([...new Set(writes)]).toEqual([writeOf(scene.specimen, thing)])
    const sent = scene.bodies.flatMap((body) => Object.keys(body as object))
    const learnt = isNone(kind.establish.adopt) ? [] : kind.establish.adopt.learnBy
    for (const { path } of fields) expect(sent).toContain(path)
    // Guarded fields in doubt are asked for first, by the same harmless write as in an adoption.
    for (const name of sent) expect([...fields.map(({ path }) => path), ...learnt]).toContain(name)
    expect(await scene.plan()).toMatchObject({ code: 0 })
    expect(await scene.drift()).toMatchObject({ code: 0 })
  },
})

const ignoresOthers = (type: string, act: Act): Case => ({
  title: `${type} about another thing marks nothing`,
  ...(act.settings === undefined ? {} : { settings: act.settings }),
  async show(scene) {
    const { managed, other } = scene.specimen
    await scene.applied({ mine: managed.entry })
    const before = (await scene.drift()).of('mine').verdict
    await does(scene, act, await thingOf(scene, other))
    expect(await newest(scene, type)).toMatchObject({ publicKey: ONCALL.publicKey })
    const drift = await scene.drift()
    expect(drift).toMatchObject({ code: 0, document: { summary: { drifted: 0 } } })
    expect(drift.of('mine').verdict).toBe(before)
    const plan = await scene.plan()
    expect(plan.code).toBe(0)
    expect(plan.of('mine').action).toBe('unchanged')
    expect(plan.of('mine').evidence.level).not.toBe('suspect')
    expect(plan.of('mine').evidence.events).toBeUndefined()
  },
})

const ignoresTypes = (witness: Witness, { settings, cause }: NonNullable<Specimen['unrelated']>): Case => ({
  title: 'of another type is not about it, though it names the same thing',
  settings,
  async show(scene) {
    const { kind, managed, tamper, identityOf } = scene.specimen
    for (const type of witness.types) expect(cellOf(kind, 'Events')).toContain(`\`${type}…\``)
    await scene.applied({ mine: managed.entry })
    const thing = await thingOf(scene, managed)
    await cause(scene)
    const named = (await scene.dump()).organizations[0].events[0]
    expect(named[witness.event]).toBe(identityOf(thing)[witness.instance])
    expect(witness.types.some((type) => named.eventTypeName.startsWith(type))).toBe(false)
    expect(await scene.drift()).toMatchObject({ code: 0 })
    await tamperWith(scene, tamper)
    const drift = await scene.drift()
    expect(drift.code).toBe(2)
    expect(drift.of('mine')).toMatchObject({ verdict: 'drifted' })
    expect(drift.of('mine').actor).toBeUndefined()
  },
})

/** Only what is read counts, and no actor is named. */
const cannot = ({ none }: None, type: string, act: Act): Case => ({
  title: `is not possible: ${type} names nobody, and no event is asked for`,
  async show(scene) {
    const { kind, managed } = scene.specimen
    expectReason(cellOf(kind, 'Events'), none)
    await scene.applied({ mine: managed.entry })
    await does(scene, act, await thingOf(scene, managed))
    expect(await newest(scene, type)).toMatchObject({ publicKey: ONCALL.publicKey })
    const drift = await scene.drift()
    expect(drift.code).toBe(2)
    expect(drift.of('mine')).toMatchObject({ verdict: 'drifted', evidence: { level: 'read' } })
    expect(drift.of('mine').actor).toBeUndefined()
    expect(drift.of('mine').evidence.events).toBeUndefined()
    expect((await scene.plan()).of('mine').actor).toBeUndefined()
    expect((await scene.sent()).reads).not.toContain(call(ORGANIZATION_EVENTS, SCOPE))
  },
})

const cases = ({ kind, acts, unrelated }: Specimen): Case[] => {
  const { witness } = kind
  const all = Object.entries(acts)
  if (isNone(witness)) return all.map(([type, act]) => cannot(witness, type, act))
  if (witness.types.length > 0 && unrelated === undefined)
    throw new Error(`the specimen of ${kind.kind} has no event of another type`)
  return [
    ...all.map(([type, act]) => tells(witness, type, act)),
    ...all.map(([type, act]) => ignoresOthers(type, act)),
    ...(unrelated === undefined ? [] : [ignoresTypes(witness, unrelated)]),
  ]
}

export const events: Line = { word: 'Events', cases }
