/** Bytes of less than this are not worth a thought, and may share their memory with others. */
const LARGE = 16_384

/**
 * Gives the memory of bytes back at once, which V8 does at some later collection: for those whom nobody reads again.
 * They are empty from then on.
 */
export const giveBack = ({ buffer, byteLength }: Uint8Array): void => {
  if (byteLength >= LARGE && buffer instanceof ArrayBuffer && buffer.byteLength === byteLength)
    buffer.transfer(0)
}
