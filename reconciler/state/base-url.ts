/**
 * A base URL in the form in which two of them are compared: lower-case scheme and host, no default
 * port, no trailing slash, no credentials, query or fragment.
 */
export const normalizeBaseUrl = (baseUrl: string): string => {
  if (!URL.canParse(baseUrl)) return baseUrl
  const url = new URL(baseUrl)
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/u, '')}`
}

export const sameBaseUrl = (left: string, right: string): boolean =>
  normalizeBaseUrl(left) === normalizeBaseUrl(right)
