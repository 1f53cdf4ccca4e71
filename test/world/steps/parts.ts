import * as fc from 'fast-check'
import { expect } from 'vitest'
import { isSure, type Oracle } from '../known/oracle.ts'
import { step, type Step } from './step.ts'
import { count } from '../tally.ts'
import type { World } from '../world.ts'

const TARGETS = {
  'maintenanceWindows.*': /^maintenanceWindows\./,
  'maintenanceWindows.a': /^maintenanceWindows\.a$/,
  'maintenanceWindows.weekly': /^maintenanceWindows\.weekly\[/,
  'alertConfigurations.*': /^alertConfigurations\./,
  'alertConfigurations.all': /^alertConfigurations\.all\[/,
  'users.*': /^users\./,
  'apiKeys.reporting': /^apiKeys\.reporting$/,
  'integrations.*': /^integrations\./,
} as const
type Target = keyof typeof TARGETS

/** If nothing has changed, a read thing needs no events. They are in its evidence only if they were read for others. */
const evidenceOf = ({ evidence, fields }: any): unknown =>
  evidence.level === 'read' && fields.length === 0 ? 'read' : evidence

const plannedAs = (change: any): object => {
  const { address, action, before, after, fields, requests } = change
  return { address, action, before, after, fields, requests, evidence: evidenceOf(change) }
}
const foundAs = (drift: any): object => {
  const { address, verdict, fields, actor, declared } = drift
  return { address, verdict, fields, actor, declared, evidence: evidenceOf(drift) }
}

/** A report on a target says of it what a report on everything says, but never that all is well. */
const lookAtPart = async (target: Target, world: World): Promise<void> => {
  const from = world.now
  const plan = await world.json(['plan', '--all'])
  const drift = await world.json(['drift'])
  const planned = await world.json(['plan', '--all', '--target', target])
  const drifted = await world.json(['drift', '--target', target])
  // Only the later reports know what became readable meanwhile.
  if (world.service.acts.some(({ seenFrom }) => seenFrom >= from && seenFrom <= world.now)) return
  // A move into or out of the target is refused, and a target that matches nothing is an error.
  const isRefused = [planned, drifted].some(({ document }) => document?.error !== undefined)
  count(`of ${target} alone: ${isRefused ? 'refused' : 'told'}`)
  if (isRefused) return
  const isMeant = ({ address }: any): boolean => TARGETS[target].test(address)
  expect(planned.document.changes.map(plannedAs)).toEqual(
    plan.document.changes.filter(isMeant).map(plannedAs),
  )
  expect(drifted.document.resources.map(foundAs)).toEqual(
    drift.document.resources.filter(isMeant).map(foundAs),
  )
  expect([planned.document.inSync, drifted.document.inSync]).toEqual([false, false])
}

export const parts: fc.Arbitrary<Step> = fc
  .constantFrom(...(Object.keys(TARGETS) as Target[]))
  .map((target) =>
    step(`plan and drift of ${target} alone`, (_: Oracle, world) => lookAtPart(target, world), isSure),
  )
