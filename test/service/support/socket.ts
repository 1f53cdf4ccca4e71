import { connect } from 'node:net'

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
    let text = ''
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1', () => {
      if (ends) socket.end(bytes)
      else socket.write(bytes)
    })
    socket.on('data', (chunk) => (text += chunk.toString('latin1')))
    socket.on('error', () => resolve(text))
    socket.on('close', () => resolve(text))
  })

/** Sends bytes and resets the connection at once, so that the service finds both when it reads. */
export const resetAfter = async (baseUrl: string, bytes: string): Promise<void> =>
  await new Promise((resolve) => {
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1', () => {
      socket.write(bytes)
      socket.resetAndDestroy()
    })
    socket.on('close', () => resolve())
  })
