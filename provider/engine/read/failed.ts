import { DeadlineError, RateLimitedError, ServiceFailureError, UnreachableError } from '../../errors/index.ts'

/** Failures after which the client has tried again for as long as it may. */
const GIVEN_UP = [DeadlineError, RateLimitedError, ServiceFailureError, UnreachableError] as const

/** Until when a failure is told, in ms of `performance.now()`. It stays the same in readings that build on another. */
const toldUntil = new WeakMap<Error, number>()

/**
 * Forgets a shared reading that has just begun, if it fails. One that was given up stays for as long as it took:
 * whoever asks within that time would wait as long again, and hundreds of resources ask one after the other.
 */
export const forgetFailed = (reading: Promise<unknown>, forget: () => void): void => {
  const began = performance.now()
  reading.catch((error: unknown) => {
    if (!(error instanceof Error) || !GIVEN_UP.some((each) => error instanceof each)) return forget()
    const now = performance.now()
    const until = toldUntil.get(error) ?? now + (now - began)
    toldUntil.set(error, until)
    setTimeout(forget, until - now).unref()
  })
}
