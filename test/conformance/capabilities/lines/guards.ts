import type { Guard } from '@deploymgmt/provider/core'
import { expect } from 'vitest'
import type { Case, Line } from '../support/line.ts'
import type { Guarded, Specimen } from '../support/specimen.ts'
import { told } from '../support/words.ts'

/** The name of a guard in a specimen. */
export const nameOf = ({ guard, field }: Guard): string => `${guard} ${field}`

const refuses = ({ guard, title, flag, fixture, before, after, because, sends }: Guarded): Case => ({
  title: `${guard} ${title}, unless ${flag}`,
  ...(fixture === undefined ? {} : { fixture }),
  async show(scene) {
    const wanted = scene.specimen.kind.guards.find((each) => nameOf(each) === guard)
    expect(wanted?.flag).toBe(flag)
    await scene.applied(before)
    const held = await scene.dump()
    await scene.declare(after)
    const plan = await scene.plan()
    expect(plan.of('mine')).toMatchObject({ action: 'update', needs: [{ flag }] })
    expect(plan.of('mine').needs[0].because).toMatch(because)
    const refused = await scene.apply()
    expect(refused.code).toBe(1)
    expect(told(refused)).toMatch(because)
    expect(told(refused)).toMatch(new RegExp(`DM-GUARD.*${flag}`))
    expect((await scene.sent()).writes).toEqual([])
    expect(await scene.dump()).toEqual(held)
    expect(await scene.apply(flag)).toMatchObject({ code: 0 })
    expect((await scene.sent()).writes).toEqual([sends])
    expect(await scene.plan()).toMatchObject({ code: 0 })
  },
})

const cases = ({ guards }: Specimen): Case[] => guards.map(refuses)

/** Not in the table, but on the kind's page: what apply refuses without a flag. */
export const guards: Line = { word: 'Guards', cases }
