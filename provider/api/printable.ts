import { asHtml, clip, speltOut, unseenSpeltOut } from '../core/text.ts'

/** Text from outside as one line that is safe to show: dangerous characters as `\uXXXX`, cut at `limit`. */
export const printable = (text: string, limit = 300): string => unseenSpeltOut(clip(text, limit))

// `##[error]` and `##vso[task.setvariable]` anywhere in a line; `::error::` at the beginning of one, behind any space,
// because GitHub trims those of Unicode, too. What is rare is looked for first, and the rest of a line only once: texts
// can have many megabytes.
const logCommand = /#(?=#\w*\[)|:(?=:[a-z])(?<=^\s*:)(?=:[a-z\-]+(?:[ \t].*)?::)/gimv

/**
 * The text without what a pipeline would obey in the log of a job, such as a command that changes PATH for its next
 * step: names from a service are in what is printed. Inside JSON the value stays.
 */
export const withoutLogCommands = (text: string): string => text.replace(logCommand, speltOut)

const secretName = /pass|secret|token|private|credential/iv

/** The strings anywhere in a request body whose names say that they are secret. */
export const secretsIn = (body: unknown, found: string[] = []): string[] => {
  if (typeof body !== 'object' || body === null) return found
  for (const [name, value] of Object.entries(body)) {
    if (typeof value === 'string' && value !== '' && secretName.test(name)) found.push(value)
    else secretsIn(value, found)
  }
  return found
}

/** Removes secrets from a text that a service may have built from what was sent. */
export const withoutSecrets = (text: string, secrets: readonly string[]): string => {
  const found = secrets.filter((secret) => text.includes(secret))
  if (found.length === 0) return text
  // All at once and the longest first: no rest of a secret stays, and none is found in the replacement of another.
  const longestFirst = found.toSorted((a, b) => b.length - a.length)
  return text.replaceAll(new RegExp(longestFirst.map(literally).join('|'), 'gu'), '(hidden)')
}

/**
 * The forms of a secret in plain text, JSON text, addresses, HTML and base64: a service or a proxy repeats it as it
 * writes. The longest first, so that no rest of one stays.
 */
export const formsOf = (secret: string): string[] => {
  const wellFormed = secret.toWellFormed()
  const forms = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(wellFormed),
    asHtml(secret),
    ...(standsOut(secret) ? base64Of(wellFormed) : []),
  ]
  return [...new Set(forms)].toSorted((a, b) => b.length - a.length)
}

const base64Of = (text: string): string[] => {
  const bytes = Buffer.from(text)
  const padded = bytes.toString('base64')
  return [padded, padded.replace(/=+$/, ''), bytes.toString('base64url')]
}

/** Whether a secret is recognisable anywhere: a shorter one is a part of too many words. */
export const standsOut = (secret: string): boolean => secret.length >= 8

const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
