import { expect } from 'vitest'
import { foreignTo, type Oracle } from '../known/oracle.ts'
import { count } from '../tally.ts'
import { recordsOf, type World } from '../world.ts'
import { idAt } from './check-apply.ts'

/** What a record calls quiet was quiet: until then, no event told of an act of others that is still open. */
export const checkQuiet = async (world: World, oracle: Oracle): Promise<void> => {
  const records = await recordsOf(world)
  for (const address of Object.keys(records)) {
    const { quiet } = records[address]
    if (quiet === undefined) continue
    const until = Date.parse(quiet.upTo)
    const { evident } = foreignTo({ service: world.service, now: until }, oracle, idAt(records, address))
    const told = evident.filter(({ at }) => at < until)
    count(`quiet: ${address.replace(/\..*/, '')}`)
    expect({ address, upTo: quiet.upTo, told }).toEqual({ address, upTo: quiet.upTo, told: [] })
  }
}
