import { createHash } from 'node:crypto'
import { sortedJson } from '../../reconciler/text/json.ts'

/** A saved plan that somebody has edited, with a new digest of its content. */
export const resealed = (plan: unknown): string => {
  const { contentSha256: _, ...content } = plan as { readonly contentSha256?: unknown }
  const contentSha256 = createHash('sha256').update(sortedJson(content)).digest('hex')
  return JSON.stringify({ ...content, contentSha256 })
}

/** A saved plan with its keys in another order, as a tool may write it. */
export const turned = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(turned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]) => [key, turned(inner)]),
  )
}
