import type { Part } from '@deploymgmt/provider/core'
import { ORGANIZATION_EVENTS } from '@deploymgmt/provider/engine'
import { expect } from 'vitest'
import type { Case } from '../support/line.ts'
import { call, expectReason, SCOPE, tamperWith, thingOf, told } from '../support/words.ts'

interface Unseen {
  readonly reason: string
  /** Parts that are also declared and can be read. */
  readonly beside?: readonly (readonly [string, Part])[]
  /** Fields of the managed entry that are left out here. */
  readonly without?: readonly string[]
}

const titleOf = (parts: NonNullable<Unseen['beside']>): string =>
  parts.length === 0 ? '' : ` beside ${parts.map(([name]) => name).join(', ')}`

/** A thing, or the rest of one, that no endpoint shows: only the record and events tell about it. */
export const showsNothing = ({ reason, beside = [], without = [] }: Unseen): Case => ({
  title: `is labelled, and never called in sync${titleOf(beside)}: what someone changed unseen stays unseen`,
  async show(scene) {
    const { managed, tamper, identityOf } = scene.specimen
    const declared = Object.entries(managed.entry).filter(([name]) => !without.includes(name))
    await scene.applied({ mine: Object.fromEntries(declared) })
    await tamperWith(scene, tamper)
    const plan = await scene.plan()
    expect(plan).toMatchObject({ code: 0, document: { summary: { unchanged: 0, unverifiable: 1 } } })
    expect(plan.of('mine')).toMatchObject({
      action: 'unchanged',
      evidence: { level: 'recorded' },
      requests: [],
    })
    expectReason(plan.of('mine').evidence.note, reason)
    const drift = await scene.drift()
    expect(drift).toMatchObject({ code: 0, document: { summary: { 'in-sync': 0, unverifiable: 1 } } })
    expect(drift.of('mine')).toMatchObject({ verdict: 'unverifiable' })
    expectReason(drift.of('mine').reason, reason)
    for (const command of [['plan'], ['drift', '--unmanaged', 'off']]) {
      const ran = await scene.run(...command)
      expect({ command, said: told(ran) }).toMatchObject({ said: expect.stringContaining('not verifiable') })
      expect(told(ran)).not.toMatch(/[1-9]\d* in sync/)
    }
    expect((await scene.drift('--strict')).code).toBe(2)
    const { writes, reads: asked } = await scene.sent()
    const identity = identityOf(await thingOf(scene, managed))
    const wanted = [call(ORGANIZATION_EVENTS, SCOPE), ...beside.map(([, { list }]) => call(list, identity))]
    expect(writes).toEqual([])
    expect([...new Set(asked)].toSorted()).toEqual(wanted.toSorted())
  },
})
