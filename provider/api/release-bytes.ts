/** Smaller buffers are not worth the effort, and may share their memory with others. */
const LARGE = 16_384

/**
 * Frees the memory of bytes at once, which V8 would do at some later collection. Only for bytes that nobody reads
 * again: they are empty afterwards.
 */
export const releaseBytes = ({ buffer, byteLength }: Uint8Array): void => {
  if (byteLength >= LARGE && buffer instanceof ArrayBuffer && buffer.byteLength === byteLength)
    buffer.transfer(0)
}
