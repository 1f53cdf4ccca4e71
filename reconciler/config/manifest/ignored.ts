import { endOf, namesOfUnmanaged } from '@deploymgmt/provider/core'
import { formatPosition } from '@deploymgmt/provider/engine'
import { checkUntil } from './check-until.ts'
import type { Checked } from './checked.ts'
import { locate } from '../tree/node.ts'

/** What a manifest names as known among what nobody declares. */
export interface Ignored {
  readonly section: string
  /** The values that those which it means have, by the names of reports. */
  readonly named: Readonly<Record<string, string>>
  readonly reason: string
  /** As it is written. */
  readonly until?: string
  /** `FILE:LINE:COLUMN`. */
  readonly at: string
}

/** Its list, with what no check of a single value can tell said at its place. */
export const ignoredIn = (checked: Checked): Ignored[] => {
  const { unmanaged } = checked.value as { unmanaged?: { ignore?: unknown } | null }
  const ignore = unmanaged?.ignore
  if (!Array.isArray(ignore)) return []
  return (ignore as unknown[]).flatMap((each, index): Ignored[] => {
    const path = ['unmanaged', 'ignore', index]
    // What is wrong in itself has been said.
    if (checked.report.hasErrorIn(path) || typeof each !== 'object' || each === null) return []
    const { section, reason, until, ...named } = each as Omit<Ignored, 'named' | 'at'> &
      Readonly<Record<string, string>>
    refuseNames(checked, section, Object.keys(named), path)
    checkUntil(checked, until, [...path, 'until'])
    const { node } = locate(checked.root, path)
    const at = formatPosition(node.source.position(node.start))
    return [{ section, named, reason, ...(until === undefined ? {} : { until }), at }]
  })
}

/** What of that list means a thing by its names: while it holds, and else what has held before. */
export const ignoredAs = (
  ignored: readonly Ignored[],
  section: string,
  names: Readonly<Record<string, unknown>>,
  now: Date,
): { readonly holds?: Ignored | undefined; readonly before?: Ignored | undefined } => {
  const fitting = ignored.filter(
    (each) =>
      each.section === section && Object.entries(each.named).every(([name, value]) => names[name] === value),
  )
  const holds = fitting.find(({ until }) => until === undefined || now.getTime() <= (endOf(until) ?? 0))
  return holds === undefined ? { before: fitting[0] } : { holds }
}

type Path = readonly (string | number)[]

const refuseNames = (
  { kinds, root, report }: Checked,
  section: string,
  names: readonly string[],
  path: Path,
): void => {
  const kind = kinds.find((each) => each.section === section)
  const known = kind === undefined ? [] : namesOfUnmanaged(kind)
  for (const name of names.filter((each) => !known.includes(each))) {
    const { node, key } = locate(root, [...path, name])
    const message = `what nobody declares of ${section} is not named by ${name}`
    report.add(key ?? node, { path: [...path, name], message, allowed: known })
  }
}
