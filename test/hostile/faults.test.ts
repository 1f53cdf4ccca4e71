/** Each fault of the service × each kind × each of its requests: all end as docs/failure-model.md says. */
import { expect, test } from 'vitest'
import { fixtureWith } from '../support/installation.ts'
import { cells, manyPages } from './support/fault-cells.ts'
import { nameOf, rows, type Row } from './support/fault-rows.ts'
import { became, meet, type Met } from './support/fault-run.ts'

const meetAll = async (fixture: object, fault?: Row['fault']): Promise<Met[]> =>
  Promise.all(cells.map(async (cell) => meet(cell, fixture, fault)))

const usually = meetAll(fixtureWith())

test.each(rows.map((row) => [nameOf(row), row] as const))(
  'a request that meets %s comes to the same end, with nothing twice and nothing lost',
  async (_, { fault, becomes }) => {
    const fixture = fault.fault === 'shift-pages' ? manyPages() : fixtureWith()
    const without = fault.fault === 'shift-pages' ? await meetAll(fixture) : await usually
    const met = await meetAll(fixture, fault)
    const seen = cells.map(({ name }, index) => {
      const [one, usual] = [met[index], without[index]]
      if (one === undefined || usual === undefined) throw new Error(name)
      return { name, became: became(one, usual), live: one.live, plan: one.plan }
    })
    expect(seen).toEqual(
      cells.map(({ name, does }, index) => ({
        name,
        became: becomes[does],
        live: without[index]?.live,
        plan: 0,
      })),
    )
  },
)
