/** Copies a value as the disk would return it, so that memory and file cannot differ. */
export const plain = <T>(value: T): T => {
  const copy: T = JSON.parse(JSON.stringify(value))
  return copy
}
