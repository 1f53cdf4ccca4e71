/**
 * Bytes of an answer that a place of states gives; several times the size of the largest state that can be worked with.
 * A server can send without end, and what is small on its way can unpack to any size.
 */
export const LARGEST = 256 * 1024 * 1024
/** Completes "its answer is …" or "it printed …". */
export const MORE_THAN_LARGEST = 'than 256 MB, the limit for a state'
