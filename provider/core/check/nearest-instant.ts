import { isInstant } from '../instant.ts'
import { zonedTime } from '../zoned-time.ts'

/** Longer than any instant with its zone and its tags: no mistake is looked for in what somebody has made long. */
const LONGEST = 200

/** The nearest text that is an instant: common mistakes are a space for the T, no zone, or no time at all. */
export const nearestInstant = (text: string): string | undefined => {
  if (text.length > LONGEST) return undefined
  const [, time = text, zone = ''] = /^(.*?)((?:\[.*\])?)$/su.exec(text.trim()) ?? []
  const spelt = time
    .trim()
    .toUpperCase()
    .replace(/^(\d{4}-\d{2}-\d{2}) +/, '$1T')
    .replace(/ +(Z|[+-]\d{2}:?\d{2})$/, '$1')
  const tries = [
    spelt,
    `${spelt}Z`,
    spelt.replace(/T(\d{2}:\d{2})(Z|[+-]|$)/, 'T$1:00$2'),
    `${spelt}T00:00:00`,
  ]
  return zone === ''
    ? [...tries, ...tries.map((one) => `${one}Z`), ...tries.map(colon)].find(isInstant)
    : tries.map((one) => `${one}${zone}`).find((one) => zonedTime(one)?.is === 'instant')
}

/** Turns `+0100` into `+01:00`. */
const colon = (text: string): string => text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2')
