import { DeadlineError, RateLimitedError, ServiceFailureError, UnreachableError } from '../../errors/index.ts'

/** Failures after which the client has tried again for as long as it may. */
const GIVEN_UP = [DeadlineError, RateLimitedError, ServiceFailureError, UnreachableError] as const

/**
 * Forgets a shared reading that fails. One that was given up stays for as long as it took: whoever asks within that
 * time would wait as long again, and hundreds of resources ask one after the other.
 *
 * @param began when the reading began, in ms of `performance.now()`
 */
export const forgetFailed = (reading: Promise<unknown>, began: number, forget: () => void): void => {
  reading.catch((error: unknown) => {
    if (GIVEN_UP.some((each) => error instanceof each)) setTimeout(forget, performance.now() - began).unref()
    else forget()
  })
}
