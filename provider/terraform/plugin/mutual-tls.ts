/** TLS in which each side knows the other's only certificate in advance. */
import type { X509Certificate } from 'node:crypto'
import type { Socket } from 'node:net'
import { type TLSSocket, createServer } from 'node:tls'
import type { ServerCertificate } from './certificate.ts'

interface MutualTls {
  readonly own: ServerCertificate
  /** The only client that is accepted. */
  readonly client: X509Certificate
  /** Called for everyone else, with the reason. */
  readonly refused: (reason: string) => void
}

/**
 * Returns a function that passes a connection on once it is encrypted and its client is known, and ends it otherwise.
 */
export const requireClient = (
  { own, client, refused }: MutualTls,
  take: (socket: TLSSocket) => void,
): ((connection: Socket) => void) => {
  const server = createServer({
    key: own.key,
    cert: own.certificate,
    ca: client.toString(),
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['h2'],
  })
  server.on('tlsClientError', (error, socket) => {
    refused(error.message)
    socket.destroy()
  })
  server.on('secureConnection', (socket) => {
    // A certificate that is signed with the client's would pass the check above, but is not the client's.
    if (socket.getPeerX509Certificate()?.raw.equals(client.raw) === true) return take(socket)
    refused('the certificate is not the one that Terraform announced')
    socket.destroy()
  })
  return (connection) => {
    server.emit('connection', connection)
  }
}
