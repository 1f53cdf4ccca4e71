import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { load } from 'js-yaml'
import { expect } from 'vitest'
import { isSure, type Oracle } from '../known/oracle.ts'
import { step } from './step.ts'
import { count } from '../tally.ts'
import { truthOf, type World } from '../world.ts'
import { idAt } from '../checks/check-apply.ts'

const entriesIn = async ({ folder }: World): Promise<any[]> => {
  const text = await readFile(join(folder, 'deploymgmt.accepted.yaml'), 'utf8').catch(() => 'accepted: []')
  return (load(text) as any).accepted ?? []
}

/** A person accepts one field of a drift: only that field is accepted, and nothing else changes. */
const acceptOne = async (index: number, oracle: Oracle, world: World): Promise<void> => {
  const from = world.now
  const { document } = await world.json(['drift'])
  const drifted: any[] = (document?.resources ?? []).filter(
    ({ verdict, fields }: any) => verdict === 'drifted' && fields.length > 0,
  )
  const drift = drifted[index % Math.max(1, drifted.length)]
  if (drift === undefined) return
  const { address, identity } = drift
  const paths: string[] = drift.fields.map(({ path }: any) => path)
  const path = paths[index % paths.length] ?? ''
  const before = await entriesIn(world)
  const at = world.now
  const ended = await world.json(['drift', 'accept', `${address}.${path}`, '--reason', 'fine'])
  expect(world.actsOf(ended.number)).toEqual([])
  const isTold = (): boolean =>
    world.service.acts.some(({ seenFrom }) => seenFrom > from && seenFrom <= world.now)
  if (ended.code !== 0 && isTold()) return
  expect(ended).toMatchObject({ code: 0 })
  const id = idAt({ [address]: { identity } }, address)
  oracle.drifts.set(address, { id, enabled: truthOf(world).configs.get(id), at, until: undefined })
  const after = await entriesIn(world)
  const isOf = (each: any): boolean => each.address === address && each.field === path
  expect(after.filter((each) => !isOf(each))).toEqual(before.filter((each) => !isOf(each)))
  expect(after.filter(isOf)).toMatchObject([{ address, field: path, reason: 'fine' }])
  const { document: then } = await world.json(['drift'])
  if (isTold()) return
  count(`accept a field of ${address.split('.')[0]}: ${paths.length} had drifted`)
  const pathsAt = (list: any[] = []): string[] =>
    list
      .filter((each) => each.address === address && each.verdict === 'drifted')
      .flatMap(({ fields }) => fields.map((field: any) => field.path))
  const wereAccepted = pathsAt(document.accepted)
  expect({
    accepted: pathsAt(then.accepted).toSorted(),
    left: pathsAt(then.resources).toSorted(),
  }).toEqual({
    accepted: [...wereAccepted, path].toSorted(),
    left: paths.filter((each) => each !== path).toSorted(),
  })
  const besides = ({ resources, accepted = [] }: any): string[] =>
    [...resources, ...accepted.map((each: any) => ({ ...each, verdict: 'accepted' }))]
      .filter((each) => each.address !== address)
      .map((each) => `${each.address} ${each.verdict}`)
      .toSorted()
  expect(besides(then)).toEqual(besides(document))
}

export const acceptField = fc
  .nat(5)
  .map((index) =>
    step(
      `drift accept of a field of the ${index + 1}. drift`,
      (oracle, world) => acceptOne(index, oracle, world),
      isSure,
    ),
  )
