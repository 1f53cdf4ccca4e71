import { displayWidth } from '../../../../reconciler/text/display.ts'

/** A text picture, without its first line break. */
export const text = ({ raw }: TemplateStringsArray): string => raw.join('').replace(/^\n/, '')

export const longest = (shown: string): number =>
  Math.max(...shown.split('\n').map((line) => displayWidth(line)))

/** What strings of a service may contain: escapes, a C1 control, a reversed reading direction, forged lines. */
export const HOSTILE = '\u001B[2J\u009B31m\u202Eevil\u0007\r\nforged line\u2066\u061C\u200F\u2028\u0000\u007F'
