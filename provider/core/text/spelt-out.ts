/** A character as JSON and YAML write it, `\u202E`: one beyond U+FFFF is two escapes. */
export const speltOut = (character: string): string =>
  character
    .split('')
    .map((unit) => String.raw`\u` + unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0'))
    .join('')
