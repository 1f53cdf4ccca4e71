import { endOf, namesOfUnmanaged } from '@deploymgmt/provider/core'
import { checkUntil } from './check-until.ts'
import type { Checked } from './checked.ts'
import { locate, positionOf } from '../tree/node.ts'

/** Known things among unmanaged ones that a manifest ignores. */
export interface Ignored {
  readonly section: string
  /** The values that select them, under the names of reports. */
  readonly named: Readonly<Record<string, string>>
  readonly reason: string
  /** As written. */
  readonly until?: string
  /** `FILE:LINE:COLUMN`. */
  readonly at: string
}

/** The list of ignored things; reports mistakes that checks of single values cannot find. */
export const ignoredIn = (checked: Checked): Ignored[] => {
  const { unmanaged } = checked.value as { unmanaged?: { ignore?: unknown } | null }
  const ignore = unmanaged?.ignore
  if (!Array.isArray(ignore)) return []
  return (ignore as unknown[]).flatMap((each, index): Ignored[] => {
    const path = ['unmanaged', 'ignore', index]
    // An item that is wrong by itself was reported already.
    if (checked.report.hasErrorIn(path) || typeof each !== 'object' || each === null) return []
    const { section, reason, until, ...named } = each as Omit<Ignored, 'named' | 'at'> &
      Readonly<Record<string, string>>
    refuseNames(checked, section, Object.keys(named), path)
    checkUntil(checked, until, [...path, 'until'])
    const { node } = locate(checked.root, path)
    const at = positionOf(node)
    return [{ section, named, reason, ...(until === undefined ? {} : { until }), at }]
  })
}

/** The item that covers a thing by its values: one that still applies or, if there is none, one that did. */
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
