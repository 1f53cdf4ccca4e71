/** The commands of a history, and what goes wrong in them. */
import * as fc from 'fast-check'
import { REPORTER } from '../../support/people.ts'
import {
  checkAimed,
  checkEmpty,
  checkFailure,
  checkKept,
  checkRefused,
  checkReleased,
  checkSilent,
} from './checks.ts'
import { addressesOf, CONFIGS, hclOf } from './declared.ts'
import { accepting, deeds, prolong } from './deeds.ts'
import { anyWindow, BETWEEN_MS, edits, INDEX, put, step, take, windowName, type Step } from './edits.ts'
import { momentOf, type Oracle } from './oracle.ts'
import { apply, carryOut, plan } from './run.ts'
import { ORG, type World } from './world.ts'

const anApply = step('apply', (oracle, world) => apply(oracle, world))

/** What Terraform's state holds is brought up to date, and nothing is sent. */
const refresh = step('apply -refresh-only', async (oracle, world) => {
  const before = await momentOf(world)
  const ended = await carryOut(oracle, world, ['apply', '-refresh-only', '-auto-approve'])
  checkSilent(ended)
  if (ended.code !== 0) checkFailure(oracle, before, ended)
})

/** Of all that is declared or in the state, one address. */
const target = fc.nat(20).map((n) =>
  step(`apply -target of address ${n}`, async (oracle, world) => {
    const before = await momentOf(world)
    const all = [...new Set([...addressesOf(oracle.declared), ...before.state.keys()])]
    // Terraform moves what has a moved block only along with its target.
    if (all.length === 0 || oracle.declared.moved.length > 0) return
    const address = all[n % all.length] ?? ''
    const words = ['apply', '-auto-approve', `-target=deploymgmt_${address}`]
    const ended = await carryOut(oracle, world, words, { within: [address] })
    if (ended.code !== 0) return checkFailure(oracle, before, ended)
    const after = await momentOf(world)
    checkAimed(oracle, after, address)
    const kept = all.filter((each) => each !== address || addressesOf(oracle.declared).includes(each))
    checkReleased(oracle, { before, after, ended, now: world.now(), kept })
  }),
)

const replace = windowName.map((name) =>
  step(`apply -replace of window ${name}`, async (oracle, world) => {
    const { state } = await momentOf(world)
    const address = `maintenance_window.${name}`
    if (!state.has(address) || oracle.declared.windows[name] === undefined) return
    await apply(oracle, world, ['apply', '-auto-approve', `-replace=deploymgmt_${address}`])
  }),
)

/** A plan is saved, somebody or nobody does something, and the plan is applied. */
const saved = fc.option(deeds, { nil: undefined }).map((between) =>
  step(`plan -out; ${between?.said ?? 'nothing'}; apply of it`, async (oracle, world) => {
    const planned = await world.terraform(['plan', '-out=saved.plan'])
    if (planned.code !== 0) return checkFailure(oracle, await momentOf(world), planned)
    const known = await momentOf(world)
    if (between === undefined) return void (await apply(oracle, world, ['apply', 'saved.plan']))
    const wasForeign = new Set(oracle.foreign)
    world.pass(BETWEEN_MS)
    await between.carryOut(oracle, world)
    world.pass(BETWEEN_MS)
    const before = await momentOf(world)
    const ended = await carryOut(oracle, world, ['apply', 'saved.plan'])
    const isStale = ended.said.includes('DM-PLAN-STALE')
    if (ended.code !== 0) {
      if (!isStale) checkFailure(oracle, known, ended)
      return
    }
    // What somebody did after the plan stays as it is.
    const after = await momentOf(world)
    const since = [...oracle.foreign].filter((id) => !wasForeign.has(id))
    checkKept(since, { before, after, ended })
    oracle.declared = { ...oracle.declared, moved: [] }
    await world.configure(hclOf(oracle.declared))
  }),
)

/** A configuration is taken up as it is, switched, and given back: it has to be as it was. */
const borrowed = fc.constantFrom('x', 'y', 'z' as const).map((name) =>
  step(
    `${name} is taken up as it is, applied, switched, applied, and given back with another apply`,
    async (oracle, world) => {
      const index = INDEX[name]
      const enabled = (await world.truth()).configs.get(CONFIGS[index]) === true
      for (const next of [
        put('configs', name, { index, enabled, onRemove: 'restore' }),
        put('configs', name, { index, enabled: !enabled, onRemove: 'restore' }),
        take('configs', name),
      ]) {
        await next.run(oracle, world)
        await apply(oracle, world)
      }
    },
    ({ declared }) => declared.configs[name] === undefined,
  ),
)

/** What the plan is about to change is changed by somebody else before the apply. */
const overtaken = windowName.map((name) =>
  step(
    `plan -out of another description of window ${name}; oncall prolongs it; apply of it`,
    async (oracle, world) => {
      const { state } = await momentOf(world)
      const [own, stated] = [oracle.declared.windows[name], state.get(`maintenance_window.${name}`)]
      if (own === undefined || stated === undefined || stated.isTainted) return
      await apply(oracle, world)
      const changed = { ...own, description: own.description === 'one' ? 'two' : 'one' }
      await put('windows', name, changed).run(oracle, world)
      const planned = await world.terraform(['plan', '-out=saved.plan'])
      if (planned.code !== 0) return checkFailure(oracle, await momentOf(world), planned)
      world.pass(BETWEEN_MS)
      const { id } = (await world.state()).get(`maintenance_window.${name}`)?.values ?? {}
      await prolong(world, (await world.truth()).windows.get(id))
      oracle.foreign.add(id)
      world.pass(BETWEEN_MS)
      checkRefused(await carryOut(oracle, world, ['apply', 'saved.plan']), id)
    },
  ),
)

/** The resource is taken out of the state, and imported again. */
const reimport = fc.nat(20).map((n) =>
  step(`state rm and import of address ${n}`, async (oracle, world) => {
    const { state } = await momentOf(world)
    if (oracle.declared.moved.length > 0) return
    const declared = addressesOf(oracle.declared)
    const found = [...state].filter(
      ([each]) => declared.includes(each) && importId(each, state) !== undefined,
    )
    if (found.length === 0) return
    const [address] = found[n % found.length] ?? ['']
    const id = importId(address, state) ?? ''
    await world.terraform(['state', 'rm', `deploymgmt_${address}`])
    const before = await momentOf(world)
    const ended = await carryOut(oracle, world, ['import', `deploymgmt_${address}`, id])
    checkSilent(ended)
    if (ended.code !== 0) return checkFailure(oracle, before, ended)
    // What nobody can read is asserted by the next apply.
    await apply(oracle, world)
  }),
)

const importId = (
  address: string,
  state: ReadonlyMap<string, { readonly values: any }>,
): string | undefined => {
  const {
    id,
    project_id: project,
    alert_config_id: config,
    user_id: userId,
  } = state.get(address)?.values ?? {}
  if (address.startsWith('maintenance_window.')) return `${project}/${id}`
  if (address === 'api_key.reporting') return `${ORG}/${REPORTER}`
  if (config !== undefined && config !== null) return `${project}/${config}`
  // Only Pat declares that all roles are listed, which adopting a user needs.
  if (address === 'user.pat') return userId ?? undefined
  return undefined
}

const destroy = step('destroy', async (oracle, world) => {
  if (oracle.declared.dana !== undefined) return
  const before = await momentOf(world)
  const ended = await carryOut(oracle, world, ['destroy', '-auto-approve'])
  if (ended.code !== 0) return checkFailure(oracle, before, ended)
  const after = await momentOf(world)
  checkEmpty(after)
  checkReleased(oracle, { before, after, ended, now: world.now(), kept: [] })
})

/** The next write is lost on its way, or its answer is; then all is applied, if need be twice. */
const meeting = (method: string, fault: string): Step =>
  step(`apply whose next ${method} meets ${fault}`, async (oracle, world) => {
    const status = fault === 'status' ? { status: 503 } : {}
    await world.control('POST', 'faults', { method, path: '.', fault, count: 1, ...status })
    oracle.isFaulty = true
    const { code } = await apply(oracle, world)
    await world.control('DELETE', 'faults')
    oracle.isFaulty = false
    if (code !== 0) await applyAfterFailure(oracle, world)
  })

const FAULTS = fc.constantFrom('reset-after', 'reset-after', 'reset-before', 'status')
const lost = fc
  .tuple(fc.constantFrom('PATCH', 'POST', 'DELETE'), FAULTS)
  .map(([method, fault]) => meeting(method, fault))

/** The creation of a window is. */
const lostCreation = fc.tuple(windowName, anyWindow, FAULTS).map(([name, value, fault]) => {
  const [declares, applies] = [put('windows', name, value), meeting('POST', fault)]
  return step(
    `${String(declares)}; ${String(applies)}`,
    async (oracle, world) => {
      await declares.run(oracle, world)
      await applies.run(oracle, world)
    },
    (oracle) => oracle.declared.windows[name] === undefined && declares.check(oracle),
  )
})

/** Two windows lose the answers to their creations in one apply; one of them may have no description. */
const lostTogether = fc.tuple(anyWindow, anyWindow, fc.boolean()).map(([first, other, isPlain]) => {
  const one = isPlain ? { ...first, description: undefined } : first
  const two = { ...other, project: one.project }
  const declares = [put('windows', 'd', one), put('windows', 'e', two)]
  return step(
    `apply; ${declares.join('; ')}; apply that loses the answers to both; none of the two`,
    async (oracle, world) => {
      if ((await apply(oracle, world)).code !== 0) return
      for (const each of declares) await each.run(oracle, world)
      await world.control('POST', 'faults', { method: 'POST', path: '.', fault: 'reset-after', count: 2 })
      // No failure is expected, as both were made.
      await apply(oracle, world)
      for (const name of ['d', 'e']) await take('windows', name).run(oracle, world)
    },
  )
})

/** What a creation that failed has left is kept, as the docs say. */
const applyAfterFailure = async (oracle: Oracle, world: World): Promise<void> => {
  world.pass(BETWEEN_MS)
  for (const [address, { isTainted }] of await world.state())
    if (isTainted) await world.terraform(['untaint', `deploymgmt_${address}`])
  const { code, said } = await apply(oracle, world)
  if (code === 0 || !said.includes('exists already')) return
  // Nothing tells the id of a person whose creation no state has: somebody else has to look.
  oracle.declared = { ...oracle.declared, dana: undefined }
  await world.configure(hclOf(oracle.declared))
  await apply(oracle, world)
}

/** Somebody writes while an apply is under way: it goes on or is refused, and the next one reaches what is declared. */
const disturbed = fc.tuple(deeds, fc.integer({ min: 1, max: 14 })).map(([{ said, carryOut: does }, at]) =>
  step(`apply, and before request ${at}: ${said}`, async (oracle, world) => {
    oracle.isUnclear = true
    const before = await momentOf(world)
    const meanwhile = { at, carryOut: () => does(oracle, world) }
    const ended = await carryOut(oracle, world, ['apply', '-auto-approve'], { meanwhile })
    if (ended.code !== 0 && !ended.said.includes('DM-PLAN-STALE')) checkFailure(oracle, before, ended)
    if (ended.code === 0) {
      oracle.declared = { ...oracle.declared, moved: [] }
      await world.configure(hclOf(oracle.declared))
    }
    await applyAfterFailure(oracle, world)
  }),
)

/** Terraform and its provider are killed within an apply. */
const killed = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.boolean()).map(([at, isDone]) =>
  step(`apply that is killed at write ${at}, which is ${isDone ? 'done' : 'lost'}`, async (oracle, world) => {
    const before = await momentOf(world)
    const ended = await carryOut(oracle, world, ['apply', '-auto-approve'], { killed: { at, isDone } })
    if (ended.code !== null) {
      if (ended.code !== 0) checkFailure(oracle, before, ended)
      return
    }
    const { truth, state } = await momentOf(world)
    const known = new Set([...state.values()].map(({ values }) => values.id))
    // Terraform keeps no journal.
    for (const id of truth.windows.keys())
      if (!before.truth.windows.has(id) && !known.has(id)) oracle.left.add(id)
    await applyAfterFailure(oracle, world)
  }),
)

const aPlan = step('plan', (oracle, world) => plan(oracle, world))

export const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: edits },
  { weight: 5, arbitrary: deeds.map(({ said, carryOut: does }) => step(said, does)) },
  { weight: 1, arbitrary: accepting },
  { weight: 5, arbitrary: fc.constant(anApply) },
  { weight: 4, arbitrary: fc.constant(aPlan) },
  { weight: 1, arbitrary: fc.constant(refresh) },
  { weight: 1, arbitrary: target },
  { weight: 1, arbitrary: replace },
  { weight: 2, arbitrary: saved },
  { weight: 1, arbitrary: overtaken },
  { weight: 1, arbitrary: borrowed },
  { weight: 1, arbitrary: reimport },
  { weight: 1, arbitrary: fc.constant(destroy) },
  { weight: 1, arbitrary: lost },
  { weight: 2, arbitrary: lostCreation },
  { weight: 3, arbitrary: lostTogether },
  { weight: 2, arbitrary: disturbed },
  { weight: 2, arbitrary: killed },
)
