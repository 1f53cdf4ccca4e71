import { entryOf, parseAddress, type Entry } from '@deploymgmt/provider/engine'
import { definitionOf, boundOf, leavingOut } from '@deploymgmt/provider/core'
import { kinds } from '@deploymgmt/provider/kinds'
import { sayLeavingOut } from '@deploymgmt/provider/words'
import type { Wanted } from '../../config/patches/patch.ts'
import type { ReportedDrift } from '../../render/document/drift-model.ts'
import { originSteps } from '../../render/wording/explained.ts'
import { missingIn } from '../../render/document/lacking.ts'
import { fileAndLine } from '../../render/document/places.ts'
import type { WaysFacts } from '../../render/document/ways-out.ts'
import type { ReadRun } from '../run/read-run.ts'
import { ownEntryOf, settingsOf } from './own-entry.ts'

/** How to change a manifest so that it declares the live values. */
export const keepingFacts = (
  read: Pick<ReadRun, 'loaded' | 'records' | 'run' | 'target'>,
): Omit<WaysFacts, 'sameFlags'> => {
  const { entries } = read.loaded.declaration
  const declared: Declared = Map.groupBy(entries, ({ address }) => entryOf(address))
  return {
    patchFor: patchFor(read),
    saidAt: ({ address, movedTo }, field) => read.loaded.saidAt(entryOf(movedTo ?? address), field),
    comesFrom: comesFrom(read),
    isDeclared: (address) => declared.has(entryOf(address)),
    isAlone: isAlone(read),
    isForLater: isForLater(declared),
    listed,
    ownEntry: ownEntry(read, declared),
    leavesOut: leavesOut(read),
  }
}

/** What is declared, by entry. */
type Declared = ReadonlyMap<string, readonly Entry[]>

/**
 * Excludes projects in the form that the entry uses, if other projects are left. Covers all projects of an entry at
 * once, because pasting a second suggestion would undo the first.
 */
const leavesOut = ({ run }: Pick<ReadRun, 'run'>) => {
  const missing = run.plan.planned.flatMap(({ change }) => missingIn(change) ?? [])
  const known = new Map(
    [...Map.groupBy(missing, ({ address }) => entryOf(address)).values()].flatMap((of) => {
      const left = leavingOut(of.map(({ among }) => among))
      return left === undefined ? [] : of.map(({ address }) => [address, sayLeavingOut(left)] as const)
    }),
  )
  return (address: string): string | undefined => {
    const { entry, keys } = parseAddress(address)
    return known.get(keys[0] === undefined ? entry : `${entry}[${keys[0]}]`)
  }
}

/** The last reference on the way to the value: earlier ones may be defined elsewhere, and be used by others. */
const comesFrom =
  ({ loaded }: Pick<ReadRun, 'loaded'>) =>
  ({ address, movedTo }: ReportedDrift, field: string): string | undefined => {
    const explained = loaded.explain(entryOf(movedTo ?? address))
    const [, ...referred] = explained?.values.find((each) => each.field === field)?.from ?? []
    const last = referred.at(-1)
    if (last === undefined) return undefined
    const { at, ...said } = last
    const place = fileAndLine(at)
    return originSteps([place === undefined ? said : { ...said, at: place }])[0]?.text
  }

/** Patches for entries that stand for one thing each. */
const patchFor =
  ({ loaded }: Pick<ReadRun, 'loaded'>) =>
  (drifts: readonly ReportedDrift[]): string | undefined => {
    const wanted = drifts.map(wantedOf).filter((each) => each !== undefined)
    return wanted.length === 0 || wanted.length < drifts.length ? undefined : loaded.patchOf(wanted)
  }

const wantedOf = ({ address, movedTo, kind, fields }: ReportedDrift): Wanted | undefined => {
  const definition = definitionOf(kinds, kind)
  const values = Object.fromEntries(fields.map(({ path, after }) => [path, after]))
  return definition === undefined || fields.length === 0
    ? undefined
    : { entry: entryOf(movedTo ?? address), fields: definition.fields, values }
}

/** Also counts found things that are not recorded yet. An entry that the target leaves out may stand for more. */
const isAlone = ({ records, run, target }: Pick<ReadRun, 'records' | 'run' | 'target'>) => {
  const known = new Set([
    ...Object.keys(records),
    ...run.plan.planned.map(({ change: { address } }) => address),
  ])
  const counts = Map.groupBy(known, entryOf)
  return (address: string): boolean => {
    const entry = entryOf(address)
    return target?.includes(entry) !== false && counts.get(entry)?.length === 1
  }
}

/** For selectors that are not limited to present things. */
const isForLater =
  (declared: Declared) =>
  (address: string): boolean =>
    (declared.get(entryOf(address)) ?? []).some(({ kind, values }) => {
      const definition = definitionOf(kinds, kind)
      return (
        definition?.adoption.bound !== undefined &&
        values[definition.expand.members?.by ?? ''] !== undefined &&
        boundOf(definition, values) === undefined
      )
    })

/** An only-list is no selector: a thing that it would delete cannot be declared beside it. */
const listed = ({ address, kind }: ReportedDrift): string | undefined => {
  const members = definitionOf(kinds, kind)?.expand.members
  const key = parseAddress(address).keys.at(-1)
  return members?.are === 'deleted' && key !== undefined ? `add ${key} to ${members.by}` : undefined
}

/** An id beats a selector: the new entry takes the thing out of the selector. */
const ownEntry = ({ loaded, run }: Pick<ReadRun, 'loaded' | 'run'>, declared: Declared) => {
  const selected = new Set(
    run.plan.planned.flatMap(({ change, work }) =>
      work.do === 'write' && work.instance.provenance === 'selected' ? [change.address] : [],
    ),
  )
  const taken = new Set(loaded.declaration.entries.map(({ address }) => address))
  return ({ address, kind, identity = {}, fields }: ReportedDrift): string | undefined => {
    const definition = definitionOf(kinds, kind)
    if (definition === undefined || !fields.every(({ after }) => isPlain(after))) return undefined
    if (!selected.has(address)) return undefined
    const live = Object.fromEntries(fields.map(({ path, after }) => [path, after]))
    const { projectNames } = loaded.declaration
    const [entry] = declared.get(entryOf(address)) ?? []
    const { projectId } = identity
    const place = projectId === undefined ? {} : { projectId: projectNames.get(projectId) ?? projectId }
    const settings = entry === undefined ? {} : settingsOf(definition, entry)
    const values = { ...identity, ...place, ...live }
    return ownEntryOf(address, definition, { values, taken, settings })?.text
  }
}

const isPlain = (value: unknown): boolean => ['boolean', 'number', 'string'].includes(typeof value)
