/** The value of a text in a field of this type: variables are text, even those for numbers and booleans. */
export const valueOfText = (text: string, { is }: { readonly is: string }): string | number | boolean => {
  if (is === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return (is === 'integer' || is === 'number') && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
}

/** Whether a variable that is a number may have this text as its value. */
export const isNumberText = (text: string): boolean => /^[-+]?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(text)
