/**
 * The path of a request's target: a server must also accept a full URL, as clients send it to a proxy (RFC 9112,
 * 3.2.2).
 */
export const originForm = (target: string): string => {
  const path = /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1]
  if (path === undefined) return target
  return path.startsWith('/') ? path : `/${path}`
}
