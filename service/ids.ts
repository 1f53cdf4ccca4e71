import { randomBytes } from 'node:crypto'

const idPattern = /^[0-9a-f]{24}$/i

/** Makes an id of 24 hex digits: seconds, then random bits. */
export const newId = (now: number): string => {
  const seconds = Math.floor(now / 1000) % 0x1_0000_0000
  return Math.max(seconds, 0).toString(16).padStart(8, '0') + randomBytes(8).toString('hex')
}

/** Whether a text has the form of an identifier. */
export const isId = (text: string): boolean => idPattern.test(text)
