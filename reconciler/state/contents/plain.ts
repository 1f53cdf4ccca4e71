/** A copy as the disk would give it back, so memory and file cannot differ. */
export const plain = <T>(value: T): T => {
  const copy: T = JSON.parse(JSON.stringify(value))
  return copy
}
