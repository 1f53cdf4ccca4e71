import { expect } from 'vitest'
import type { Declared } from './declared.ts'
import { NAMED } from './fixture.ts'
import { actorsOf, foreignTo, lastToSet, type Oracle } from './oracle.ts'
import { recordsOf, truthOf, type World } from './world.ts'

const addressesOf = ({ configs, windows, key }: Declared): string[] => [
  ...Object.keys(configs).map((name) => `alertConfigurations.${name}`),
  ...Object.keys(windows).map((name) => `maintenanceWindows.${name}`),
  ...(key === undefined ? [] : ['apiKeys.reporting']),
]

/** A drift report against what really is, and who really did it. */
export const checkDrift = async (world: World, oracle: Oracle): Promise<void> => {
  const { code, document, said, number } = await world.json(['drift'])
  expect(world.actsOf(number)).toEqual([])
  // An outcome that no evidence settles stops everything, and is the only thing that does.
  if (oracle.isUncertain && code === 3) return
  expect({ code, said }).toMatchObject({ code: document?.summary?.drifted > 0 ? 2 : 0 })
  expect(document.summary.drifted).toBe(document.resources.filter(isDrifted).length)
  if (oracle.isUncertain) return
  const records = await recordsOf(world)
  expect(document.resources.map(({ address }: any) => address)).toEqual(
    expect.arrayContaining(addressesOf(oracle.declared).filter((address) => records[address] !== undefined)),
  )
  for (const resource of document.resources.filter(({ address }: any) => records[address] !== undefined))
    judge(resource, records[resource.address], world, oracle)
}

const isDrifted = ({ verdict }: any): boolean => verdict === 'drifted'

const judge = (resource: any, record: any, world: World, oracle: Oracle): void =>
  resource.address.startsWith('alertConfigurations.')
    ? judgeReadable(resource, record, world)
    : judgeUnreadable(resource, record, world, oracle)

const judgeReadable = ({ address, verdict, actor }: any, { identity, applied }: any, world: World): void => {
  const id = identity.alertConfigId
  const isSame = truthOf(world).configs.get(id) === applied.enabled
  expect({ address, verdict }).toEqual({ address, verdict: isSame ? 'in-sync' : 'drifted' })
  if (isSame) return
  const cause = lastToSet(world.service.acts, id)
  const isNobody = cause === undefined || cause.by === 'run'
  if (isNobody) expect({ address, actor }).toEqual({ address })
  else if (actor !== undefined || cause.seenFrom <= world.now)
    expect({ address, by: actor }).toMatchObject({ address, by: NAMED[cause.by] })
}

/** What no endpoint shows is never in sync, and drifted only where somebody else has really changed it. */
const judgeUnreadable = (
  { address, verdict, actor }: any,
  { identity }: any,
  world: World,
  oracle: Oracle,
): void => {
  const id = identity.id ?? identity.apiKeyId
  const { since, evident, justBefore } = foreignTo(world, oracle, id)
  const possible = [...since, ...justBefore]
  const allowed = [
    ...(evident.length > 0 ? [] : ['unverifiable']),
    ...(possible.length > 0 ? ['drifted'] : []),
  ]
  expect(allowed, `${address} is said to be ${verdict}`).toContain(verdict)
  if (actor === undefined) return
  const named = actorsOf(possible).map((by) => NAMED[by])
  expect(named).toContainEqual(
    expect.objectContaining(
      actor.publicKey === undefined ? { username: actor.username } : { publicKey: actor.publicKey },
    ),
  )
}
