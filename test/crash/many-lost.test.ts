import { describe, expect, it } from 'vitest'
import { seedsOf, soakKills } from '../support/soak.ts'
import { FEW, killUntilDone, MANY, tellOf, type Figures } from './support/many.ts'

/** About this many kills are needed until all of MANY exist. */
const KILLS_TO_THE_END = 8.5

describe('an apply of windows and users that is killed with ten writes in flight, again and again', () => {
  const rounds = soakKills === undefined ? 1 : Math.ceil(soakKills / KILLS_TO_THE_END)
  const size = soakKills === undefined ? FEW : MANY
  const all: Figures[] = []

  it.each(seedsOf(rounds))('loses, doubles and mixes up nothing (seed %i)', async (seed) => {
    const figures = await killUntilDone(seed, size)
    all.push(figures)
    tellOf('the default readings', figures)
    expect(figures.unknown).toBeGreaterThan(10)
  })

  it('leaves at most two of a hundred unknown outcomes to a person', () => {
    const unknown = all.reduce((sum, each) => sum + each.unknown, 0)
    const forPerson = all.reduce((sum, each) => sum + each.forPerson, 0)
    expect(forPerson).toBeLessThanOrEqual(unknown * 0.02)
  })

  it.each(seedsOf(Math.ceil(rounds / 10)))(
    'takes over nothing that somebody else made with the same key (seed %i)',
    async (seed) => {
      const figures = await killUntilDone(seed, { ...size, strangers: true })
      tellOf('the same, with somebody else making windows with the same key', figures)
      expect(figures.kills).toBeGreaterThan(0)
    },
  )
})
