import type { Context } from '../context.ts'
import type { Link } from '../model/common.ts'
import { formatTimestamp } from '../time.ts'

/** Writes a kept instant in the form of open.timestampForm. */
export function instant(context: Context, kept: string): string {
  return formatTimestamp(Date.parse(kept), context.settings.get('open.timestampForm'))
}

/** The named instants of an item, written anew where they are there. */
export function instants<T extends object>(
  context: Context,
  item: T,
  ...names: (keyof T & string)[]
): Partial<T> {
  const written: Record<string, string> = {}
  for (const name of names) {
    const kept = item[name]
    if (typeof kept === 'string') written[name] = instant(context, kept)
  }
  return written as Partial<T>
}

/** The self link of a resource. */
export function selfLink(context: Context, path: string): Link[] {
  return [{ href: context.baseUrl() + path, rel: 'self' }]
}

/** The links of the resources whose samples show none (open.sampleLinks). */
export function sampleLinks(context: Context, path: string): Link[] {
  return context.settings.get('open.sampleLinks') === 'self' ? selfLink(context, path) : []
}

/** A field beyond the description, for clients that must ignore such (open.extraFields). */
export function extraFields(context: Context): { serviceExtra?: string } {
  return context.settings.get('open.extraFields') === 'present' ? { serviceExtra: 'not described' } : {}
}
