import * as fc from 'fast-check'
import { expect } from 'vitest'
import { newId } from '../../../service/ids.ts'
import { formatTimestamp } from '../../../service/time.ts'
import { applyIn } from './applies.ts'
import { checkApplied } from '../checks/check-apply.ts'
import { ORG, PROJECT } from '../fixture.ts'
import { isLivedTwice, isSure, type Oracle } from '../known/oracle.ts'
import { step, type Step } from './step.ts'
import { count } from '../tally.ts'
import { recordsOf, truthOf, type World } from '../world.ts'

const SAM = { username: 'sam@example.com', eventTypeName: 'ALERT_CONFIG_DELETED_AUDIT' }
/** Settings of the service by which an event does not show or has another name, or a 404 may be a proxy's. */
const HIDES = [
  'open.events',
  'open.eventNames',
  'open.eventDelay',
  'open.projectEventsInOrganizationList',
  'open.errorBody',
]

/** The recorded configurations that the service has, by address. */
const recorded = async (world: World): Promise<[string, string][]> =>
  Object.entries<any>(await recordsOf(world)).flatMap(([address, { identity }]): [string, string][] =>
    address.startsWith('alertConfigurations.') && truthOf(world).configs.has(identity.alertConfigId)
      ? [[address, identity.alertConfigId]]
      : [],
  )

/**
 * Sam deletes a configuration, which no call of the API does, and an event says so: plan and drift name him, and nobody
 * for anything else. Then it is undone, because no id comes back otherwise.
 */
const deleting = async (index: number, oracle: Oracle, world: World): Promise<void> => {
  if (HIDES.some((name) => world.settings[name] !== undefined)) return count('deleted: not asked, not told')
  const before = await applyIn(world, oracle)
  await checkApplied(world, oracle, before)
  const all = await recorded(world)
  const [address, id] = all[index % Math.max(1, all.length)] ?? []
  if (before.code !== 0 || address === undefined || id === undefined)
    return count('deleted: nothing is there')
  // Further from our write than a margin, so that no event of it can be meant.
  world.now += 6_000
  if (isLivedTwice(oracle, [world.now])) return count('deleted: not asked, lived twice')
  const created = formatTimestamp(world.now)
  const undo = world.service.deleteConfiguration(PROJECT, id, {
    ...SAM,
    id: newId(world.now),
    created,
    orgId: ORG,
    groupId: PROJECT,
    alertConfigId: id,
  })
  world.now += 6_000
  const { document } = await world.json(['drift'])
  const found = document.resources.filter(({ reasonCode }: any) => reasonCode === 'gone-at-service')
  for (const { identity, actor } of found)
    expect({ id: identity.alertConfigId, actor }).toMatchObject({ id, actor: SAM })
  expect(found.map((each: any) => each.address)).toContain(address)
  const { changes } = (await world.json(['plan'])).document
  // A selector that matches nothing any more does not know what it has matched.
  const missing = changes.filter(
    ({ reasonCode, after }: any) => reasonCode === 'missing' && after?.alertConfigId === id,
  )
  for (const { actor } of missing) expect(actor).toMatchObject(SAM)
  count(`deleted: named in drift${missing.length > 0 ? ' and plan' : ''}`)
  undo()
}

export const deleted: fc.Arbitrary<Step> = fc
  .nat({ max: 3 })
  .map((index) =>
    step(
      `sam deletes configuration ${index} of the recorded ones; apply before, drift and plan after; undone`,
      (oracle, world) => deleting(index, oracle, world),
      isSure,
    ),
  )
