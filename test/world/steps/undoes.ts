import * as fc from 'fast-check'
import { expect } from 'vitest'
import { applyIn } from './applies.ts'
import { idAt } from '../checks/check-apply.ts'
import { checkTouched } from '../checks/check-touched.ts'
import { isSentAgain, lose, LOSSES, type Loss } from '../known/losses.ts'
import type { Oracle } from '../known/oracle.ts'
import { step, type Step } from './step.ts'
import { count } from '../tally.ts'
import { recordsOf, truthOf, type Ended, type World } from '../world.ts'

const STANDS_IN_THE_WAY = /^protect: true stands in the way of (?<fields>[\w, ]+): take it out first/

/** Fields that, as the way out says, cannot be put back. */
const saidIn = ({ undo, protectedFields = [] }: any): readonly string[] => {
  const said = STANDS_IN_THE_WAY.exec(undo?.text ?? '')?.groups?.['fields']?.split(', ') ?? []
  if (undo?.command?.startsWith('deploymgmt apply ') === true) expect(said).toEqual(protectedFields)
  return said
}

/**
 * A protected entry that wants an alert off does not turn it off again. Nothing else keeps an alert from being put
 * back.
 */
const checkSaid = (world: World, { declared }: Oracle, drift: any): void => {
  const { address, identity, undo } = drift
  const own = declared.configs[address.replace('alertConfigurations.', '')]
  if (own === undefined || own.isIgnored || undo === undefined) return
  const isOn = truthOf(world).configs.get(identity.alertConfigId) === true
  const isKept = own.protect === true && isOn && !own.enabled
  count(`undo of an alert: ${isKept ? 'protected' : 'free'}`)
  expect({ address, said: saidIn(drift) }).toEqual({ address, said: isKept ? ['enabled'] : [] })
}

/** A person does what the report says, without flags that it does not mention. */
const undo = async (index: number, loss: Loss | undefined, oracle: Oracle, world: World): Promise<void> => {
  const { document, number } = await world.json(['drift'])
  const lookedAt = world.service.looks.get(number)?.[0] ?? world.now
  const drifted = (document?.resources ?? []).filter(({ verdict }: any) => verdict === 'drifted')
  for (const each of drifted) checkSaid(world, oracle, each)
  // Some of these commands come after an edit of the manifest, which nobody makes here.
  const able = drifted.filter(
    ({ undo: way }: any) =>
      way?.command?.startsWith('deploymgmt apply ') === true &&
      way.text?.includes('put its entry back first') !== true,
  )
  const drift = able[index % Math.max(1, able.length)]
  if (drift === undefined) return
  const target = /--target (?:'(?<quoted>[^']*)'|(?<plain>\S+))/.exec(drift.undo.command)?.groups
  const address = target?.['quoted'] ?? target?.['plain'] ?? ''
  const records = await recordsOf(world)
  const id = idAt(records, drift.address)
  if (loss !== undefined) {
    lose(world.service, 'PATCH', '', loss)
    if (!isSentAgain(loss)) oracle.isUncertain = true
  }
  const ended = await applyIn(world, oracle, ['--target', address], {}, [])
  if (loss !== undefined) world.service.clearFaults()
  checkTouched(world, oracle, ended.number)
  const said = saidIn(drift)
  const written = world.actsOf(ended.number).filter((act) => act.id === id)
  const isFree = said.length === 0
  count(`undo ${drift.address.split('.')[0]}: ${isFree ? 'free' : 'protected'}, exit ${ended.code}`)
  expect(written.flatMap(({ body }) => said.filter((name) => name in body))).toEqual([])
  if (isFree && loss === undefined)
    checkNotRefused(world, ended, { drift, lookedAt, record: records[drift.address] })
}

/**
 * If nothing was sent, the undo was refused. That is right only if an answer or a newer event shows what the report
 * could not know.
 */
const checkNotRefused = (
  world: World,
  { number, code, document, said }: Ended,
  { drift, lookedAt, record }: { readonly drift: any; readonly lookedAt: number; readonly record: any },
): void => {
  const { acts, refusals } = world.service
  const isToldSince = acts.some(({ seenFrom }) => seenFrom > lookedAt && seenFrom <= world.now)
  const isAnswered = world.actsOf(number).length > 0 || refusals.some(({ run }) => run === number)
  if (isToldSince || isAnswered || document.strangers !== undefined) return
  // An edit that waits for its apply goes along, and can need a flag of its own.
  if (isOwner(record) && said.includes('--allow-owner-removal')) return
  const { address, undo: way, reason } = drift
  const told = [...document.blocked, ...document.problems]
  expect({ address, way, reason, code, said, told }).toMatchObject({ code: 0 })
}

const isOwner = ({ applied }: any): boolean => applied.roles?.includes('ORG_OWNER') === true

const asStep = (index: number, loss: Loss | undefined): Step =>
  step(
    `what a report says undoes the ${index + 1}. drift is done${loss === undefined ? '' : `, and an answer is lost (${loss})`}`,
    (oracle, world) => undo(index, loss, oracle, world),
    ({ isUncertain }) => !isUncertain,
  )

export const undoes: fc.Arbitrary<Step> = fc.nat(4).map((index) => asStep(index, undefined))

export const troubledUndoes: fc.Arbitrary<Step> = fc
  .tuple(fc.nat(4), fc.constantFrom(undefined, ...LOSSES))
  .map(([index, loss]) => asStep(index, loss))
