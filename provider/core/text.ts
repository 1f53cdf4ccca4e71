/** How texts, numbers and instants are written for people. Imports nothing, so that whoever needs it loads nothing else. */

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** `1,000`, for a whole number. `Intl` loads tables of all languages, which takes longer than the start of Node. */
export const sayNumber = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')

/** A character as JSON and YAML write it, `\u202E`: one beyond U+FFFF is two escapes. */
export const speltOut = (character: string): string => {
  // A text can have very many of them: lists of units would take most of the time of a report.
  let spelt = ''
  for (let unit = 0; unit < character.length; unit += 1)
    spelt += '\\u' + character.charCodeAt(unit).toString(16).toUpperCase().padStart(4, '0')
  return spelt
}

const HTML: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text for between tags of HTML, and for quoted attributes. */
export const asHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => HTML[character] ?? character)

/** `a`, `a and b`, or `a, b and c`. */
export const enumerated = (names: readonly string[]): string =>
  [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' and ')

/** What ends a message, if something else is likely meant. */
export const didYouMean = (meant: string | undefined): string =>
  meant === undefined ? '' : `; did you mean ${meant}?`

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/

/** Epoch milliseconds of a text in the API's format of instants. */
export const instantOf = (value: unknown): number | undefined => {
  if (typeof value !== 'string' || !INSTANT.test(value)) return undefined
  const at = Date.parse(value)
  return at <= LAST ? at : undefined
}
/** The end of the year 9999: later instants, and invalid ones, cannot be formatted. */
const LAST = 253_402_300_799_999

/** Until when something lasts, for people, rounded up to whole seconds: the current second counts as past. */
export const sayInstant = (instant: string): string => inUtc(Math.ceil(Date.parse(instant) / SECOND) * SECOND)

/**
 * When something happened, for people: always with seconds, because a whole minute would look rounded. Text that is no
 * instant stays as it is.
 */
export const sayMoment = (text: string): string => {
  const at = instantOf(text)
  return at === undefined ? text : inUtc(at)
}

const SECOND = 1000

/** `2026-12-05 02:00:01 UTC`. */
const inUtc = (at: number): string => {
  const iso = new Date(at).toISOString()
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
}

// Controls (C0, C1), lone surrogates, line separators, and what nobody sees or what reorders text: format characters
// (zero-width, bidirectional, tags), fillers, blanks that are no spaces, and variation selectors. Text from outside must
// not drive a terminal, nor pass for other text. What makes a pictograph another one is seen: a selector behind it or in
// a keycap, and the joiners of known pictographs.
const SELECTOR = /(?<=\p{Extended_Pictographic})[\uFE0E\uFE0F]|(?<=[\d#*])\uFE0F(?=\u20E3)/v
const UNSEEN = new RegExp(
  String.raw`(?!${SELECTOR.source})[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\u2800]`,
  'gv',
)
const JOINER = '\u200D'
/** The first use takes V8 a tenth of a second: only a text with a joiner needs it. */
const JOINED = /(\p{RGI_Emoji_ZWJ_Sequence})/v

/** Nearly all text: for it, V8 need not compile the rule above, which takes milliseconds. */
const PLAIN = /^[ -~]*$/

/** The text with all that is not seen spelt out. */
export const unseenSpeltOut = (text: string): string => {
  if (PLAIN.test(text)) return text
  const parts = text.includes(JOINER) ? text.split(JOINED) : [text]
  // Every other part is a pictograph.
  return parts.map((part, index) => (index % 2 === 1 ? part : part.replaceAll(UNSEEN, speltOut))).join('')
}

/** The beginning of a text that is too long, with `…`; without half of a pair, or what joins or selects nothing now. */
export const clip = (text: string, length: number): string =>
  text.length <= length
    ? text
    : `${text.slice(0, length).replace(/(?:\u200D|\uFE0F)?[\uD800-\uDBFF]?$/, '')}…`
