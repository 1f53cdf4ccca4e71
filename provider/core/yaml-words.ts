const WORD = /^[A-Za-z0-9_/](?:[A-Za-z0-9_./@:%+-]*[A-Za-z0-9_./@%+-])?$/
const LINE = /^[A-Za-z](?:[\w ,./@()+-]*[\w./)+-])?$/
const MEANS_ANOTHER = /^(?:true|false|null|yes|no|on|off|y|n)$/i

/** Whether YAML reads a text without quotes as that text, also within brackets. */
export const isBareWord = (text: string): boolean =>
  WORD.test(text) &&
  !MEANS_ANOTHER.test(text) &&
  Number.isNaN(Number(text)) &&
  !/^(?:0[ox]|[\d_]+$)/.test(text)

/** The same for text on a line of its own, outside brackets. */
export const isBareLine = (text: string): boolean =>
  isBareWord(text) || (LINE.test(text) && !MEANS_ANOTHER.test(text))

/** A text from a manifest as it is written within brackets: an expression in it stays one. */
export const inBrackets = (written: string): string =>
  isBareWord(written) ? written : JSON.stringify(written)

/** The same for a value: nothing in it is an expression. */
export const valueInBrackets = (value: string): string => inBrackets(value.split('${').join('$${'))
