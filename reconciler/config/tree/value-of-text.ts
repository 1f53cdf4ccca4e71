/** What a text stands for where a field of this type is meant: a variable is text, whatever it stands for. */
export const valueOfText = (text: string, { is }: { readonly is: string }): string | number | boolean => {
  if (is === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return (is === 'integer' || is === 'number') && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
}

/** Whether a text can be given for a variable that is a number. */
export const isNumberText = (text: string): boolean => /^[-+]?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(text)
