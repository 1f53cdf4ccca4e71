/** What comments of a manifest say, however they are broken over lines: each run of them in one line. */
export const unwrapped = (text: string): string => text.replaceAll(/(?<=^( *#+) .*)\n\1 (?! )/gm, ' ')
