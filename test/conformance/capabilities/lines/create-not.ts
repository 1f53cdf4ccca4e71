import type { None } from '@deploymgmt/provider/core'
import { expect } from 'vitest'
import type { Case } from '../support/line.ts'
import { expectNothingSent, expectReason, spoken, told } from '../support/words.ts'

export const cannot = ({ none, byHand }: None): Case => ({
  title: 'is not possible: it is blocked with the reason and the manual step',
  async show(scene) {
    const { absent, contract } = scene.specimen
    expect(contract.create).toBe('no')
    const before = await scene.dump()
    await scene.declare({ mine: absent.entry })
    const plan = await scene.plan()
    expect(plan.code).toBe(2)
    // The entry may have another way out, which then follows this step.
    const step = spoken(byHand, absent.entry).replace(/\.$/, '')
    expect(plan.of('mine')).toMatchObject({
      action: 'blocked',
      byHand: expect.stringContaining(step),
      requests: [],
    })
    expectReason(plan.of('mine').reason, none)
    const applied = await scene.apply()
    expect(applied.code).toBe(2)
    expectReason(told(applied), none)
    expect(told(applied)).toContain(step)
    await expectNothingSent(scene)
    expect(await scene.recorded()).toEqual({})
    expect(await scene.dump()).toEqual(before)
  },
})

/** If no endpoint shows the thing, the write that adopts it finds out that it does not exist. */
export const cannotUnseen = ({ none, byHand }: None, parts: readonly string[]): Case => ({
  title: 'is not possible where nothing shows that it is not there: its first write tells',
  async show(scene) {
    const { absent, contract } = scene.specimen
    const shown = Object.entries(absent.entry).filter(([name]) => !parts.includes(name))
    await scene.declare({ mine: Object.fromEntries(shown) })
    const applied = await scene.apply()
    expect(applied.code).toBe(2)
    expectReason(told(applied), none)
    expect(told(applied)).toContain(spoken(byHand, absent.entry))
    const { change } = contract
    const key = String(absent.entry[scene.specimen.kind.identity.key])
    expect((await scene.sent()).writes).toEqual(change === 'no' ? [] : [change.request(key)])
    expect(await scene.recorded()).toEqual({})
  },
})
