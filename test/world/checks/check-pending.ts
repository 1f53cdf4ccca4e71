import { expect } from 'vitest'
import { PROJECTS, windowValues, type DeclaredWindow } from '../known/declared.ts'
import { CLOSE_MS, latestOf, type Oracle } from '../known/oracle.ts'
import { CONFIGS } from '../fixture.ts'
import type { World } from '../world.ts'

/**
 * Whether the entry of a configuration no longer says what was last applied; undefined if its address means another
 * thing.
 */
export const isConfigEdited = (
  { declared: { configs } }: Oracle,
  address: string,
  { identity, applied, onRemove, protect = false }: any,
): boolean | undefined => {
  const own = configs[address.replace('alertConfigurations.', '')]
  if (own === undefined || CONFIGS[own.index] !== identity.alertConfigId) return undefined
  const isSetOtherwise = onRemove !== own.onRemove || protect !== (own.protect ?? false)
  return isSetOtherwise || (!own.isIgnored && applied.enabled !== own.enabled)
}

/** The same for a window; undefined also if it is over, or if its last write may not have come through. */
const isWindowEdited = (
  world: World,
  oracle: Oracle,
  address: string,
  { identity, applied: last, unsure, overridden = {}, onRemove, protect = false }: any,
): boolean | undefined => {
  // What others have set meanwhile, as the answer to a write of other fields showed, was no edit of ours.
  const applied = { ...last, ...overridden }
  const own = oracle.declared.windows[address.replace('maintenanceWindows.', '')]
  const isSame = own?.windowId === undefined && PROJECTS[own?.project ?? 'payments'] === identity.projectId
  if (own === undefined || !isSame || unsure !== undefined || applied.endDate === undefined) return undefined
  if (Date.parse(applied.endDate) <= latestOf(world, oracle) + CLOSE_MS) return undefined
  return onRemove !== own.onRemove || protect !== own.protect || !isAsDeclared(applied, own)
}

const isAsDeclared = (applied: any, own: DeclaredWindow): boolean => {
  const { alertTypeNames, startDate, endDate, description } = windowValues(own)
  return (
    applied.alertTypeNames?.toSorted().join() === alertTypeNames.join() &&
    Date.parse(applied.startDate) === Date.parse(startDate) &&
    Date.parse(applied.endDate) === Date.parse(endDate) &&
    applied.description === description
  )
}

/** What nobody else has changed is pending if its entry was edited, and only then. */
export const checkEditedWindow = (
  world: World,
  oracle: Oracle,
  { address, verdict, fields, edited, acceptance }: any,
  record: any,
): void => {
  const isEdited = isWindowEdited(world, oracle, address, record)
  if (isEdited === undefined) return
  if (verdict !== 'drifted')
    expect({ address, verdict }).toEqual({ address, verdict: isEdited ? 'pending' : 'unverifiable' })
  // What is gone is not called edited. If a part is accepted, the rest is reported by itself.
  else if (fields.length > 0 && acceptance === undefined)
    expect({ address, isEdited: edited !== undefined }).toEqual({ address, isEdited })
}
