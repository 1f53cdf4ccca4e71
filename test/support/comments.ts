/** A manifest with each wrapped comment in one line. */
export const unwrapped = (text: string): string => text.replaceAll(/(?<=^( *#+) .*)\n\1 (?! )/gm, ' ')
