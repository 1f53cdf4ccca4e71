import { execFileSync } from 'node:child_process'
import * as fc from 'fast-check'
import { expect } from 'vitest'
import { applyIn } from './applies.ts'
import { idAt } from '../checks/check-apply.ts'
import { checkDrift } from '../checks/check-drift.ts'
import { manifestOf, type Declared } from '../known/declared.ts'
import { isSure, type Oracle } from '../known/oracle.ts'
import { acceptAt } from './state-steps.ts'
import { step, type Step } from './step.ts'
import { count } from '../tally.ts'
import { recordsOf, truthOf, type Ended, type World } from '../world.ts'

/** A way to keep a drift that a person can follow as it is written: a patch to apply, or a command to type. */
interface Way {
  readonly how: 'patch' | 'accept' | 'record'
  readonly drift: any
}

const wayOf = (drift: any): Way[] => {
  const { verdict, declared, keep: { command = '', patch } = {} as any } = drift
  if (verdict !== 'drifted') return []
  if (patch !== undefined) return [{ how: 'patch', drift }]
  if (command.startsWith('deploymgmt state accept ')) return [{ how: 'accept', drift }]
  return declared === 'as live' && command.startsWith('deploymgmt apply ') ? [{ how: 'record', drift }] : []
}

/** A person keeps one drift as the report says, or all that a patch can keep at once. */
const keep = async (oracle: Oracle, world: World, index: number, isWhole: boolean): Promise<void> => {
  const { document } = await world.json(['drift'])
  // If the clock was set back by some two seconds, the report may know that, but the next command no longer does.
  const isShown = ({ how }: Way): boolean => how !== 'accept' || oracle.setBack === undefined
  const ways: readonly Way[] = (document?.resources ?? []).flatMap(wayOf).filter(isShown)
  const patched = ways.filter(({ how }) => how === 'patch').map(({ drift }) => drift)
  if (isWhole && patched.length > 0) return patchAll(oracle, world, patched, document.patch)
  const way = ways[index % Math.max(1, ways.length)]
  if (way === undefined) return
  count(`keep ${way.drift.address.split('.')[0]}: ${way.how}`)
  const { address, movedTo = address, keep: said } = way.drift
  if (way.how === 'patch') await patchAll(oracle, world, [way.drift], said.patch)
  else if (way.how === 'accept') await acceptAt(oracle, world, address)
  else {
    const id = idAt(await recordsOf(world), address)
    const { number } = await applyIn(world, oracle, ['--target', movedTo], {}, [])
    expect(world.actsOf(number).filter((act) => act.id === id)).toEqual([])
  }
  await checkDrift(world, oracle)
}

/**
 * After the patch, the manifest says what is live, and nothing else has changed in it. A plan sends nothing for what is
 * kept, and the same as before for the rest.
 */
const patchAll = async (
  oracle: Oracle,
  world: World,
  drifts: readonly any[],
  patch: string,
): Promise<void> => {
  count(`keep by a patch: ${drifts.length}`)
  const kept = new Set<string>(drifts.map(({ address, movedTo = address }) => movedTo))
  const before = sentBeside(kept, await world.json(['plan', '--all']))
  execFileSync('git', ['apply'], { cwd: world.folder, input: patch })
  const said = await world.declared()
  oracle.declared = drifts.reduce((declared, drift) => asLive(declared, drift, world), oracle.declared)
  await world.manifest(manifestOf(oracle.declared))
  expect(said).toEqual(await world.declared())
  const after = await world.json(['plan', '--all'])
  expect(sentBeside(kept, after)).toEqual(before)
  const planned = after.document.changes.filter(({ address }: any) => kept.has(address))
  expect(planned).toHaveLength(kept.size)
  expect(planned.filter(({ requests }: any) => requests.length > 0)).toEqual([])
}

const sentBeside = (kept: ReadonlySet<string>, { document: { changes } }: Ended): readonly unknown[] =>
  changes
    .filter(({ address, requests }: any) => requests.length > 0 && !kept.has(address))
    .map(({ address, action, requests }: any) => ({ address, action, requests }))

/** The patch also edits a selector that stands for nothing else by now. */
const asLive = (
  declared: Declared,
  { address, movedTo = address, identity }: any,
  world: World,
): Declared => {
  const enabled = truthOf(world).configs.get(identity.alertConfigId) === true
  const { configs, selected } = declared
  const name = movedTo.replace('alertConfigurations.', '')
  const own = configs[name]
  if (own === undefined) return { ...declared, selected: selected && { ...selected, enabled } }
  return { ...declared, configs: { ...configs, [name]: { ...own, enabled } } }
}

export const keeps: fc.Arbitrary<Step> = fc
  .tuple(fc.nat(4), fc.boolean())
  .map(([index, isWhole]) =>
    step(
      isWhole ? 'all that a patch keeps is kept' : `what a report says keeps the ${index + 1}. drift is done`,
      (oracle, world) => keep(oracle, world, index, isWhole),
      isSure,
    ),
  )
