/** A request's target as a path: a server has to take a full URL, too, as clients send it to a proxy (RFC 9112, 3.2.2). */
export const originForm = (target: string): string => {
  const path = /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1]
  if (path === undefined) return target
  return path.startsWith('/') ? path : `/${path}`
}
