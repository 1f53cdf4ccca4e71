import { connect } from 'node:net'

/** Sends bytes unchanged, and returns everything received until the service closes the connection. */
export const sendBytes = async (baseUrl: string, bytes: Uint8Array | string): Promise<string> =>
  await new Promise((resolve) => {
    let text = ''
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1', () => socket.end(bytes))
    socket.on('data', (chunk) => (text += chunk.toString('latin1')))
    socket.on('error', () => resolve(text))
    socket.on('close', () => resolve(text))
  })
