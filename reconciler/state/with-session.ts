import type { Session } from './session.ts'

/**
 * Acts with a state that is open, and gives it back however that ends. That it cannot be given back is thrown only
 * where nothing else has failed, be it by an error or by an exit code: else it is said.
 */
export const withSession = async <T>(session: Session, act: (session: Session) => Promise<T>): Promise<T> => {
  let isGood = false
  try {
    const result = await act(session)
    isGood = typeof result !== 'number' || result === 0
    return result
  } finally {
    await (isGood ? session.close() : session.closeFailed())
  }
}
