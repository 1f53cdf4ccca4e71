import type { Session } from './session.ts'

/**
 * Acts with a state that is open, and gives it back however that ends. That it cannot be given back is thrown only
 * where nothing else has failed, be it by an error or by an exit code: else it is said.
 */
export const withSession = async <T>(session: Session, act: (session: Session) => Promise<T>): Promise<T> => {
  const result = await act(session).catch(async (failure: unknown) => {
    throw await session.closeAfter(failure)
  })
  const isGood = typeof result !== 'number' || result === 0
  await (isGood ? session.close() : session.closeFailed())
  return result
}
