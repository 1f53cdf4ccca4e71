import { displayWidth } from '../../../../reconciler/text/display.ts'

/** A text picture, without its first line break. */
export const text = ({ raw }: TemplateStringsArray): string => raw.join('').replace(/^\n/, '')

export const longest = (shown: string): number =>
  Math.max(...shown.split('\n').map((line) => displayWidth(line)))

/** What strings of a service may contain: escapes, a C1 control, a reversed reading direction, forged lines. */
export const HOSTILE = '\u001B[2J\u009B31m\u202Eevil\u0007\r\nforged line\u2066\u0000\u007F'

// oxlint-disable-next-line no-control-regex
export const OBEYED = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/
