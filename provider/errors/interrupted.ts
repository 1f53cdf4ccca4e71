/** The exit code of whatever an interrupt ended, as shells give it: 128, and the number of the signal. */
export const INTERRUPTED = 130
