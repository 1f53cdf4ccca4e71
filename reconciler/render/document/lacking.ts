import { leavingOut, type Among } from '@deploymgmt/provider/core'
import { entryOf, sectionOf, type Change } from '@deploymgmt/provider/engine'
import { exceptSetting, sayLeavingOut } from '@deploymgmt/provider/words'
import { few } from '../../text/few.ts'
import { groupBy } from '../../text/group-by.ts'
import { number } from '../../text/number.ts'

/** Projects that lack what entries for several projects declare, with the edits that resolve this. */
export interface ReportedLacking {
  /** As a person names them. */
  readonly projects: readonly string[]
  readonly entries: readonly string[]
  /** Alternatives: each one resolves its entries. */
  readonly ways: readonly LackingWay[]
}
export interface LackingWay {
  /** Excludes the projects, or allows the absence. */
  readonly does: 'leaves-out' | 'allows'
  /** The edited part of the entry, ready to be pasted if possible. */
  readonly edit: string
  readonly entries: readonly string[]
}

/** Up to this number, entries are reported one by one. */
const MANY = 3

/** An entry for several projects lacks something in one of them. */
interface Missing {
  readonly address: string
  readonly among: Among
  readonly allowedBy: string | undefined
}

/**
 * Entries that are blocked because projects lack something, combined because pasting the edit for one project would
 * undo the one for another.
 */
export const lackingIn = (changes: readonly Change[]): ReportedLacking[] => {
  const missing = changes.flatMap((change) => missingIn(change) ?? [])
  const byEntry = groupBy(missing, ({ address }) => entryOf(address))
  return groupBy(byEntry, (of) => JSON.stringify(placesOf(of)))
    .filter(({ length }) => length >= MANY)
    .map((entries) => ({
      projects: placesOf(entries[0] ?? []),
      entries: entries.flatMap(entryIn),
      ways: [...waysBy('leaves-out', entries, leavingAll), ...waysBy('allows', entries, allowing)],
    }))
}

export const missingIn = ({ action, reason, address }: Change): Missing | undefined => {
  if (action !== 'blocked' || reason.code !== 'missing' || reason.among === undefined) return undefined
  const { among, allowedBy } = reason
  return { address, among, allowedBy }
}

const placesOf = (missing: readonly Missing[]): string[] => missing.map(({ among: { place } }) => place)

const entryIn = ([first]: readonly Missing[]): string[] =>
  first === undefined ? [] : [entryOf(first.address)]

const waysBy = (
  does: LackingWay['does'],
  entries: readonly (readonly Missing[])[],
  editFor: (missing: readonly Missing[]) => string | undefined,
): LackingWay[] =>
  groupBy(
    entries.filter((each) => editFor(each) !== undefined),
    (each) => editFor(each) ?? '',
  ).map((alike) => ({ does, edit: editFor(alike[0] ?? []) ?? '', entries: alike.flatMap(entryIn) }))

const leavingAll = (missing: readonly Missing[]): string | undefined => {
  const left = leavingOut(missing.map(({ among }) => among))
  return left && (exceptSetting(left) ?? sayLeavingOut(left))
}

const allowing = ([first]: readonly Missing[]): string | undefined =>
  first?.allowedBy === undefined ? undefined : `${first.allowedBy}: true`

/** `project b has nothing of what 5 entries declare`. */
export const sayLacking = ({ projects, entries }: ReportedLacking): string => {
  const [noun, has] = projects.length === 1 ? ['project', 'has'] : ['projects', 'have']
  return `${noun} ${few(projects)} ${has} nothing of what ${number(entries.length)} entries declare`
}

/** `in each of them`, `in the 4 of alertConfigurations`, `in alertConfigurations.backup, alertConfigurations.host-down`. */
export const sayWhere = ({ entries: all }: ReportedLacking, { entries }: LackingWay): string => {
  if (entries.length === all.length) return 'in each of them'
  const section = sectionOf(entries[0] ?? '')
  const own = all.filter((each) => sectionOf(each) === section)
  const isSection = entries.length > 1 && own.length === entries.length
  return isSection && entries.every((each) => sectionOf(each) === section)
    ? `in the ${number(entries.length)} of ${section}`
    : `in ${entries.join(', ')}`
}

/** All of it in sentences, with each entry named. */
export const lackingSentences = (lacking: readonly ReportedLacking[] = []): string[] =>
  lacking.map((each) =>
    [
      `${sayLacking(each)}: set it up there and plan again`,
      ...each.ways.map((way) => sayWay(each, way)),
    ].join('; or '),
  )

/** `leave it out, in each of them: projectIds: { all: true, except: [b] }`. */
export const sayWay = (lacking: ReportedLacking, way: LackingWay): string =>
  `${sayDoes(lacking, way)} ${sayWhere(lacking, way)}: ${way.edit}`

/** The effect of the edit: `leave it out,`. */
export const sayDoes = ({ projects }: ReportedLacking, { does }: LackingWay): string => {
  if (does === 'allows') return 'allow that nothing is there,'
  return `leave ${projects.length === 1 ? 'it' : 'them'} out,`
}

interface Told {
  readonly action: string
  readonly reasonCode: string
  readonly address: string
}

/** Whether a change is reported with others. */
export const isTold = (lacking: readonly ReportedLacking[] = []): ((change: Told) => boolean) => {
  const entries = new Set(lacking.flatMap((each) => each.entries))
  return ({ action, reasonCode, address }) =>
    action === 'blocked' && reasonCode === 'missing' && entries.has(entryOf(address))
}
