/**
 * How Terraform and a provider find each other: environment variables that Terraform sets, and the one line that it
 * reads.
 */

export type Environment = Readonly<Record<string, string | undefined>>

/** The plugin protocol of this provider. */
const PROTOCOL_VERSION = 6

// Terraform's, and no secret: it distinguishes a start by Terraform from a start by hand.
const COOKIE_NAME = 'TF_PLUGIN_MAGIC_COOKIE'
const COOKIE_VALUE = 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2'

/** The process was not started by a program that it can serve; the message is for the person who started it. */
export class HandshakeError extends Error {
  override readonly name = 'HandshakeError'
}

/** Whether Terraform has started this process, and not a person. */
export const isStartedByTerraform = (env: Environment): boolean => env[COOKIE_NAME] === COOKIE_VALUE

/**
 * The certificate of the only client that is served, in PEM; undefined if Terraform uses no TLS for its plugins.
 * @throws HandshakeError that says what is wrong with Terraform's environment variables
 */
export const readClientCertificate = (env: Environment): string | undefined => {
  if (!isStartedByTerraform(env))
    throw new HandshakeError(
      'This is a Terraform provider: a plugin that Terraform starts. It does nothing on its own. ' +
        'Name it in the required_providers of a configuration and run terraform there.',
    )
  checkVersions(env['PLUGIN_PROTOCOL_VERSIONS'])
  const certificate = env['PLUGIN_CLIENT_CERT']
  if (certificate !== undefined && certificate !== '') return certificate
  if ((env['TF_DISABLE_PLUGIN_TLS'] ?? '') !== '') return undefined
  throw new HandshakeError(
    'Terraform sent no PLUGIN_CLIENT_CERT, so its calls cannot be distinguished from those of other programs. ' +
      'Use Terraform 1.0 or later, or set TF_DISABLE_PLUGIN_TLS=1 to do without TLS between Terraform and the provider.',
  )
}

/** Where the provider listens. */
export type Address =
  | { readonly network: 'unix'; readonly path: string }
  | { readonly network: 'tcp'; readonly port: number }

/** `127.0.0.1:PORT`, or the socket's path. */
const addressText = (address: Address): string =>
  address.network === 'unix' ? address.path : `127.0.0.1:${String(address.port)}`

/** The line for stdout: versions, address, protocol and certificate. */
export const handshakeLine = (address: Address, certificate: Buffer | undefined): string => {
  const encoded = certificate?.toString('base64').replaceAll('=', '') ?? ''
  return `1|${String(PROTOCOL_VERSION)}|${address.network}|${addressText(address)}|grpc|${encoded}\n`
}

/** The value of `TF_REATTACH_PROVIDERS` with which Terraform uses a provider that is already running. */
export const reattachValue = (provider: string, address: Address, pid: number): string =>
  JSON.stringify({
    [provider]: {
      Protocol: 'grpc',
      ProtocolVersion: PROTOCOL_VERSION,
      Pid: pid,
      // Then Terraform leaves the process running when it is done.
      Test: true,
      Addr: { Network: address.network, String: addressText(address) },
    },
  })

/** A host that names no versions is assumed to use ours; Terraform names them in any order. */
const checkVersions = (offered: string | undefined): void => {
  if (offered === undefined || offered === '') return
  const versions = offered.split(',').map((version) => version.trim())
  if (!versions.includes(String(PROTOCOL_VERSION)))
    throw new HandshakeError(
      `This provider speaks plugin protocol ${String(PROTOCOL_VERSION)}, and was offered ${versions.join(', ')}. ` +
        'Use Terraform 1.0 or later.',
    )
}
