const WORD = /^[A-Za-z0-9_/](?:[A-Za-z0-9_./@:%+-]*[A-Za-z0-9_./@%+-])?$/
const LINE = /^[A-Za-z](?:[\w ,./@()+-]*[\w./)+-])?$/
const MEANS_ANOTHER = /^(?:true|false|null|yes|no|on|off|y|n)$/i

/** Whether a text can stand without quotes in YAML, within brackets too, and is read as the text that it is. */
export const isBareWord = (text: string): boolean =>
  WORD.test(text) &&
  !MEANS_ANOTHER.test(text) &&
  Number.isNaN(Number(text)) &&
  !/^(?:0[ox]|[\d_]+$)/.test(text)

/** The same of words on a line of their own, outside brackets. */
export const isBareLine = (text: string): boolean =>
  isBareWord(text) || (LINE.test(text) && !MEANS_ANOTHER.test(text))

/** A text that a manifest has within brackets, as it is written there: an expression in it stays one. */
export const inBrackets = (written: string): string =>
  isBareWord(written) ? written : JSON.stringify(written)

/** The same of a value: nothing in it is an expression. */
export const valueInBrackets = (value: string): string => inBrackets(value.split('${').join('$${'))
