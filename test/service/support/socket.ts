import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

/**
 * Sends bytes unchanged, and returns everything received until the service closes the connection. Without an end of
 * what is sent, the service has to close it by itself; with one, it gives up what it has not answered by then.
 */
export const sendBytes = async (
  baseUrl: string,
  bytes: Uint8Array | string,
  { ends = true }: { ends?: boolean } = {},
): Promise<string> =>
  await new Promise((resolve) => {
    let received = ''
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1', () => {
      if (ends) socket.end(bytes)
      else socket.write(bytes)
    })
    socket.on('data', (chunk) => (received += chunk.toString('latin1')))
    socket.on('error', () => resolve(received))
    socket.on('close', () => resolve(received))
  })

/** Sends two parts of bytes, awaits something between them, and returns everything received until the end. */
export const sendInParts = async (
  baseUrl: string,
  [first, second]: readonly [string, string],
  between: () => Promise<void>,
  { ends = true } = {},
): Promise<string> => {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1')
  const received = text(socket)
  socket.write(first)
  await between()
  socket.write(second)
  if (ends) socket.end()
  return await received
}

/** Sends bytes and resets the connection at once, so that the service finds both when it reads. */
export const resetAfter = async (baseUrl: string, bytes: string): Promise<void> =>
  await new Promise((resolve) => {
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1', () => {
      socket.write(bytes)
      socket.resetAndDestroy()
    })
    socket.on('close', () => resolve())
  })
