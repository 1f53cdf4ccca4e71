/**
 * A Linux executable without the parts that are not used at run time: symbols and debug information, which are
 * behind the last loaded segment.
 */
export const trimmed = (executable: Buffer): Buffer => {
  if (executable.readUInt32BE(0) !== 0x7f454c46 || executable[4] !== 2 || executable[5] !== 1)
    throw new Error('This is no executable of a Linux of 64 bits.')
  const segments = Number(executable.readBigUInt64LE(32))
  const [size, count] = [executable.readUInt16LE(54), executable.readUInt16LE(56)]
  const ends = Array.from({ length: count }, (_, n) => {
    const at = segments + n * size
    return Number(executable.readBigUInt64LE(at + 8) + executable.readBigUInt64LE(at + 32))
  })
  const rest = Buffer.from(executable.subarray(0, Math.max(...ends)))
  // The section table is gone: clears its offset, its number of entries, and the index of the names.
  rest.writeBigUInt64LE(0n, 40)
  rest.writeUInt32LE(0, 60)
  return rest
}
