import type { Facts, Problem, ProblemCode } from '../../core/check/index.ts'
import { nearest, textOf, USUAL_ID_FORM, zonedTime, type FieldType } from '../../core/index.ts'
import { didYouMean } from '../../core/text.ts'
import type { Text } from '../diagnostics.ts'

/** The message for a problem with a value. */
export const valueWords = ({ code, facts }: Problem): Text =>
  (WORDS[code] as (facts: Facts[ProblemCode]) => Text)(facts)

const NOTHING = 'null is not allowed here'

const NOT: Readonly<Record<FieldType['is'], string>> = {
  string: 'is not text',
  id: 'is not an id',
  boolean: 'is neither true nor false',
  integer: 'is not a whole number',
  number: 'is not a number',
  instant: 'is not an instant',
  cidr: 'is neither an address nor a block',
  enum: 'is not text',
  secret: 'is not text',
  json: 'is not JSON',
  set: 'is not a set',
  list: 'is not a list',
  object: 'is not an object',
}

const quoted = (value: unknown): string => JSON.stringify(value) ?? textOf(value)
/** A local time with its zone is a spelling for manifests alone. */
const inUtc = (meant: string | undefined): string | undefined => {
  const time = meant === undefined ? undefined : zonedTime(meant)
  return time?.is === 'instant' ? time.utc : meant
}
const allowed = (words: readonly string[]): string => `Allowed: ${words.join(', ')}.`

const noAddress = (value: string, why: string, meant?: string): Text => ({
  summary: `${quoted(value)} ${NOT.cidr}${didYouMean(meant)}`,
  detail: why,
})

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`

/** The unit appears once, after the last number. */
const limits = ({ atLeast, atMost }: Facts['too-short'] | Facts['too-long']): string => {
  if (atMost === undefined) return `at least ${counted(atLeast ?? 0, 'character')}`
  const least = atLeast === undefined ? '' : `at least ${atLeast} and `
  return `${least}at most ${counted(atMost, 'character')}`
}

const unfit = (facts: Facts['too-short'] | Facts['too-long']): Text => ({
  summary: facts.length === 0 ? 'the text is empty' : `the text has ${counted(facts.length, 'character')}`,
  detail: `It has to have ${limits(facts)}.`,
})

const WORDS: { readonly [C in ProblemCode]: (facts: Facts[C]) => Text } = {
  'wrong-type': ({ type, value }) => ({
    summary: value === null ? NOTHING : `${quoted(value)} ${NOT[type.is]}`,
  }),
  'unknown-key': ({ name, known }) => ({
    summary: `there is no ${name} here${didYouMean(nearest(name, known))}`,
    detail: allowed(known),
  }),
  'missing-key': () => ({ summary: NOTHING }),
  'not-a-name': ({ name }) => ({ summary: `${quoted(name)} cannot be a name` }),
  'not-an-id': ({ value, atMost }) => ({
    summary: `${quoted(value)} ${NOT.id}`,
    detail: `An id is one part of a path, of at most ${atMost} characters: without slashes, spaces or invisible characters.`,
  }),
  'unusual-id': ({ value }) => ({
    summary: `${quoted(value)} does not look like an id of this API; those are ${USUAL_ID_FORM}`,
  }),
  'id-in-capitals': ({ value, meant }) => ({
    summary: `${quoted(value)} has capital letters, which the ids of this API never have${didYouMean(meant)}`,
    detail: 'With two spellings, one thing would count as two.',
  }),
  'not-an-enum-value': ({ value, values, noun }) => ({
    summary: `${quoted(value)} is not a known ${noun}${didYouMean(nearest(value, values))}`,
    detail: allowed(values),
  }),
  'not-a-known-word': ({ value, values, noun }) => ({
    summary: `${quoted(value)} is not a known ${noun}${didYouMean(nearest(value, values))}`,
  }),
  'not-an-instant': ({ value, meant, nowhere }) => ({
    summary: `${quoted(value)} ${NOT.instant}${didYouMean(inUtc(meant))}`,
    detail: nowhere === undefined ? 'Write it as 2026-12-05T02:00:00Z.' : `There is no such ${nowhere}.`,
  }),
  'not-an-address': ({ value }) => noAddress(value, 'Write it as 198.51.100.7, or as 192.0.2.0/24.'),
  'cidr-part-above-255': ({ value }) => noAddress(value, 'Part of it is above 255.'),
  'cidr-leading-zero': ({ value, meant }) => noAddress(value, 'Some read a leading zero as octal.', meant),
  'cidr-length': ({ value, atMost }) =>
    noAddress(value, `The length of a block, after the slash, is 0 to ${atMost}.`),
  'cidr-host-bits': ({ value, network }) => ({
    summary: `${quoted(value)} has bits set beyond its prefix length${didYouMean(network)}`,
  }),
  'not-well-formed': () => ({ summary: 'the text contains half a character' }),
  'too-short': unfit,
  'too-long': unfit,
  'too-small': ({ value, atLeast }) => ({ summary: `${value} is too small: at least ${atLeast} is needed` }),
  'too-few': ({ atLeast }) => ({
    summary: `at least ${counted(atLeast, 'element')} ${atLeast === 1 ? 'is' : 'are'} needed`,
  }),
  'listed-twice': () => ({ summary: 'it is listed twice' }),
  'out-of-order': ({ value, from }) => ({
    summary: `${quoted(value)} is before ${quoted(from)}, so nothing is between them`,
  }),
}
