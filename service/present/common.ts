import type { Context } from '../context.ts'
import type { Link } from '../model/common.ts'
import { formatTimestamp } from '../time.ts'

/** Formats a stored instant, which has the shortest form, as in open.timestampForm. */
const instant = (context: Context, kept: string): string => {
  const form = context.settings.get('open.timestampForm')
  return form === 'shortest' ? kept : formatTimestamp(Date.parse(kept), form)
}

/** The named instants of an item, formatted, if they exist. */
export const instants = <T extends object>(
  context: Context,
  item: T,
  ...names: (keyof T & string)[]
): Partial<T> => {
  const written: Record<string, string> = {}
  for (const name of names) {
    const kept = item[name]
    if (typeof kept === 'string') written[name] = instant(context, kept)
  }
  return written as Partial<T>
}

/** The self link of a resource. */
export const selfLink = (context: Context, path: string): Link[] => [
  { href: context.baseUrl() + path, rel: 'self' },
]

/** The links of resources whose samples have none (open.sampleLinks). */
export const sampleLinks = (context: Context, path: string): Link[] =>
  context.settings.get('open.sampleLinks') === 'self' ? selfLink(context, path) : []

/** An undocumented field, which clients must ignore (open.extraFields). */
export const extraFields = (context: Context): { serviceExtra?: string } =>
  context.settings.get('open.extraFields') === 'present' ? { serviceExtra: 'not described' } : {}
