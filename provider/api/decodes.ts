/** Whether every % in a text begins an encoded byte, so that it can be decoded. */
export const decodes = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
