import { createHash } from 'node:crypto'

/** A saved plan that was edited by somebody who also makes the digest of its content anew. */
export const resealed = (plan: unknown): string => {
  const { contentSha256: _, ...content } = plan as { readonly contentSha256?: unknown }
  const contentSha256 = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  return JSON.stringify({ ...content, contentSha256 })
}
