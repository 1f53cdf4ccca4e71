import { isNone, type KindDefinition, type Observe, type Part } from '@deploymgmt/provider/core'
import { ORGANIZATION_EVENTS } from '@deploymgmt/provider/engine'
import { expect } from 'vitest'
import type { Case, Line } from '../support/line.ts'
import type { Specimen } from '../support/specimen.ts'
import {
  call,
  expectNothingSent,
  named,
  normal,
  SCOPE,
  spoken,
  tamperWith,
  thingOf,
  told,
  written,
} from '../support/words.ts'
import { showsNothing } from './observe-unseen.ts'

type Everything = Extract<Observe, { how: 'everything' }>

const reads = ({ list, get }: Everything): Case => ({
  title: 'reads one thing by the cheapest request, and several by the list',
  async show(scene) {
    const { kind, managed, other, contract, identityOf } = scene.specimen
    for (const operation of [list, ...(isNone(get) ? [] : [get])]) named(kind, 'Observe', operation)
    await scene.applied({ mine: managed.entry })
    const identity = identityOf(await thingOf(scene, managed))
    const byHand = contract.observe.map((request) => request(identity[kind.identity.key] ?? ''))
    const listed = call(list, SCOPE)
    expect([listed, ...(isNone(get) ? [] : [call(get, identity)])]).toEqual(byHand)
    const plan = await scene.plan()
    expect(plan).toMatchObject({ code: 0, document: { inSync: true } })
    expect(plan.of('mine')).toMatchObject({ action: 'unchanged', evidence: { level: 'read' } })
    expect((await scene.sent()).reads).toEqual([isNone(get) ? listed : call(get, identity)])
    await scene.applied({ mine: managed.entry, other: other.entry })
    const drift = await scene.drift()
    expect(drift).toMatchObject({ code: 0, document: { summary: { 'in-sync': 2, unverifiable: 0 } } })
    expect((await scene.sent()).reads).toEqual([listed])
  },
})

const sees = (kind: KindDefinition): Case => ({
  title: 'sees what someone changed, though no event tells of it',
  async show(scene) {
    const { managed, tamper, inWords } = scene.specimen
    await scene.applied({ mine: managed.entry })
    await tamperWith(scene, tamper)
    const drift = await scene.drift()
    expect(drift).toMatchObject({ code: 2, document: { inSync: false, summary: { drifted: 1 } } })
    expect(drift.of('mine')).toMatchObject({ verdict: 'drifted', evidence: { level: 'read' } })
    const plan = await scene.plan()
    expect(plan.code).toBe(2)
    const names = written(kind)
    expect(plan.of('mine').action).toBe(names.length === 0 ? 'blocked' : 'update')
    const [live] = (await scene.things()).filter(managed.is).map(inWords)
    const { fields } = drift.of('mine')
    expect(fields.map(({ path }: { path: string }) => path)).toEqual(names)
    expect(fields).toMatchObject(
      names.map((path) => ({ path, before: managed.entry[path], after: live?.[path] })),
    )
    await expectNothingSent(scene)
  },
})

const readsPart = (name: string, { list }: Part): Case => ({
  title: `reads ${name} by a list of its own`,
  async show(scene) {
    const { kind, managed, contract, identityOf } = scene.specimen
    named(kind, 'Observe', list)
    const identity = identityOf(await thingOf(scene, managed))
    const request = call(list, identity)
    expect(contract.observe.map((of) => of(identity[kind.identity.key] ?? ''))).toEqual([request])
    const { [kind.identity.key]: key, [name]: part } = managed.entry
    const entry = { [kind.identity.key]: key, [name]: part }
    await scene.applied({ mine: entry })
    const drift = await scene.drift()
    expect(drift.code).toBe(0)
    expect(drift.of('mine')).toMatchObject({ verdict: 'in-sync', evidence: { level: 'read' } })
    expect((await scene.sent()).reads.filter((each) => each !== call(ORGANIZATION_EVENTS, SCOPE))).toEqual([
      request,
    ])
  },
})

const blocksPart = (name: string, { byHand }: Part): Case => ({
  title: `blocks a difference of ${name}, and says the manual step`,
  async show(scene) {
    const { managed, tamperPart, inWords } = scene.specimen
    const change = tamperPart?.[name]
    if (change === undefined) throw new Error(`the specimen does not say how ${name} is tampered with`)
    await scene.applied({ mine: managed.entry })
    await tamperWith(scene, change)
    const drift = await scene.drift()
    expect(drift.code).toBe(2)
    expect(drift.of('mine')).toMatchObject({ verdict: 'drifted', fields: [{ path: name }] })
    const live = inWords(await thingOf(scene, managed))
    expect(normal(drift.of('mine').fields[0].after)).toEqual(normal(live[name]))
    const { code, document } = await scene.plan()
    expect(code).toBe(2)
    const blocked = document.changes.filter(({ action }: any) => action === 'blocked')
    expect(blocked).toMatchObject([
      {
        fields: [{ path: name }],
        evidence: { level: 'read' },
        requests: [],
        byHand: spoken(byHand, managed.entry),
      },
    ])
    expect(blocked[0].reason).toMatch(new RegExp(`${name} .*no call to change it`))
    const applied = await scene.apply()
    expect(applied.code).toBe(2)
    expect(told(applied)).toContain(spoken(byHand, managed.entry))
    await expectNothingSent(scene)
  },
})

const cases = ({ kind }: Specimen): Case[] => {
  const word = kind.observe
  if (word.how === 'everything') return [reads(word), sees(kind)]
  const { reason } = word
  if (word.how === 'nothing') return [showsNothing({ reason })]
  const parts = Object.entries(word.parts)
  return [
    ...parts.map(([name, part]) => readsPart(name, part)),
    ...parts.map(([name, part]) => blocksPart(name, part)),
    showsNothing({ reason, without: parts.map(([name]) => name) }),
    showsNothing({ reason, beside: parts }),
  ]
}

export const observe: Line = { word: 'Observe', cases }
