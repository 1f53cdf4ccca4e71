import type { Session } from './session.ts'

/**
 * Runs `act` with an open session, and always closes the session. A failure to close is thrown only if nothing else
 * has failed, neither by an error nor by an exit code; otherwise it is only reported.
 */
export const withSession = async <T>(session: Session, act: (session: Session) => Promise<T>): Promise<T> => {
  const result = await act(session).catch(async (failure: unknown) => {
    throw await session.closeAfter(failure)
  })
  const isGood = typeof result !== 'number' || result === 0
  await (isGood ? session.close() : session.closeFailed())
  return result
}
