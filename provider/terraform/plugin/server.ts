/**
 * Serves a provider to Terraform. The handshake comes first and costs little; the gRPC library and the
 * provider itself are loaded after it, while Terraform connects.
 */
import type { X509Certificate } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { ServerCertificate } from './certificate.ts'
import {
  type Environment,
  HandshakeError,
  handshakeLine,
  readClientCertificate,
  reattachValue,
} from './handshake.ts'
import { type Logger, createLogger, wantsLogs } from './log.ts'
import type { FailureText } from '../wire/answer-call.ts'
import { Lifetime } from '../wire/lifetime.ts'
import { type Listener, listen } from './listen.ts'
import type { ProviderHandlers } from '../wire/services.ts'

/** What a provider is given when it is loaded. */
export interface ProviderContext {
  readonly log: Logger
  readonly env: Environment
}

/** Loads the provider; called once, after the handshake. */
export type LoadProvider = (context: ProviderContext) => ProviderHandlers | Promise<ProviderHandlers>

type Output = Pick<NodeJS.WriteStream, 'write' | 'on'>

export interface ServeOptions {
  readonly env?: Environment
  readonly stdout?: Output
  readonly stderr?: Output
  readonly platform?: NodeJS.Platform
  readonly exit?: (code: number) => void
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** What the user reads about an error that a handler threw. */
  readonly describeFailure?: FailureText
}

/** Serves the Terraform that started this process, and ends the process with it. */
export const serve = async (load: LoadProvider, options: ServeOptions = {}): Promise<void> => {
  const host = hostFrom(options)
  try {
    const clientCertificate = readClientCertificate(host.env)
    const tls = clientCertificate === undefined ? undefined : await prepareTls(clientCertificate, host.now())
    const listener = await listen({ platform: host.platform, encrypted: tls !== undefined })
    const print = takeStdout(host)
    const lifetime = begin(host, listener, { single: true })
    // Terraform stops a provider by a call; the terminal's signal reaches both, and must not come first.
    process.on('SIGINT', () => undefined)
    print(handshakeLine(listener.address, tls?.own.der))
    await accept(load, { ...host, listener, lifetime, tls })
  } catch (error) {
    fail(host, error)
  }
}

export interface ReattachOptions extends ServeOptions {
  /** As Terraform names it: `registry.terraform.io/deploymgmt/deploymgmt`. */
  readonly provider: string
}

/** Serves every Terraform that is given the printed variable, until it is interrupted: for debuggers. */
export const serveReattach = async (load: LoadProvider, options: ReattachOptions): Promise<void> => {
  const host = hostFrom(options)
  try {
    const listener = await listen({ platform: host.platform, encrypted: false })
    const print = takeStdout(host)
    const lifetime = begin(host, listener, { single: false })
    process.on('SIGINT', () => lifetime.gone())
    await accept(load, { ...host, listener, lifetime, tls: undefined })
    const value = reattachValue(options.provider, listener.address, process.pid)
    print(`TF_REATTACH_PROVIDERS='${value}'\n`)
  } catch (error) {
    fail(host, error)
  }
}

interface Host {
  readonly env: Environment
  readonly stdout: Output
  readonly stderr: Output
  readonly platform: NodeJS.Platform
  readonly exit: (code: number) => void
  readonly now: () => number
  readonly log: Logger
  readonly describeFailure: FailureText | undefined
}

const hostFrom = (options: ServeOptions): Host => {
  const stderr = options.stderr ?? process.stderr
  const now = options.now ?? Date.now
  const env = options.env ?? process.env
  // Terraform reads stderr; when it is gone nobody does, and that is no failure.
  stderr.on('error', () => undefined)
  return {
    env,
    stdout: options.stdout ?? process.stdout,
    stderr,
    platform: options.platform ?? process.platform,
    exit: options.exit ?? ((code) => process.exit(code)),
    now,
    log: createLogger({ write: (text) => stderr.write(text), now, verbose: wantsLogs(env) }),
    describeFailure: options.describeFailure,
  }
}

interface Tls {
  readonly own: ServerCertificate
  readonly client: X509Certificate
}

const prepareTls = async (clientCertificate: string, now: number): Promise<Tls> => {
  const { createServerCertificate, parseCertificate } = await import('./certificate.ts')
  const client = parseCertificate(clientCertificate)
  if (client === undefined) throw new HandshakeError('PLUGIN_CLIENT_CERT holds no certificate in PEM.')
  return { own: createServerCertificate(now), client }
}

/** Terraform takes every line on stdout for the handshake, so all that is printed from here on goes to stderr. */
const takeStdout = ({ stdout, stderr }: Host): ((line: string) => void) => {
  const write = stdout.write.bind(stdout)
  stdout.write = stderr.write.bind(stderr)
  return (line) => void write(line)
}

const begin = (host: Host, listener: Listener, { single }: { single: boolean }): Lifetime => {
  const lifetime = new Lifetime({
    exit: host.exit,
    parentAlive: parentWatch(host.platform),
    single,
  })
  process.on('exit', () => listener.close())
  process.on('SIGTERM', () => lifetime.gone())
  process.on('SIGHUP', () => lifetime.gone())
  return lifetime
}

/** A process whose parent ends is given another one; on Windows it keeps the number of the dead. */
const parentWatch = (platform: NodeJS.Platform): (() => boolean) => {
  const parent = process.ppid
  if (platform !== 'win32') return () => process.ppid === parent
  return () => {
    try {
      return process.kill(parent, 0)
    } catch {
      return false
    }
  }
}

interface Serving extends Host {
  readonly listener: Listener
  readonly lifetime: Lifetime
  readonly tls: Tls | undefined
}

const accept = async (load: LoadProvider, serving: Serving): Promise<void> => {
  const { env, log, listener, lifetime, tls } = serving
  const [{ createGrpcServer }, { plainFailure }] = await Promise.all([
    import('../wire/grpc-server.ts'),
    import('../wire/answer-call.ts'),
  ])
  const handlers = await load({ env, log })
  const describeFailure = serving.describeFailure ?? plainFailure
  const inject = createGrpcServer({ handlers, lifetime, log, describeFailure })
  const letIn = (connection: Duplex): void => {
    lifetime.connected((closed) => connection.once('close', closed))
    inject(connection)
  }
  if (tls === undefined) return listener.accept((connection) => letIn(awake(connection)))
  const { requireClient } = await import('./mutual-tls.ts')
  const refused = (reason: string): void => log.warn('A client was refused.', { reason })
  listener.accept(requireClient({ ...tls, refused }, letIn))
}

/** The listener pauses a connection; TLS reads from it again by itself, and without TLS nothing does. */
const awake = (connection: Duplex): Duplex => {
  connection.read(0)
  return connection
}

const fail = ({ stderr, exit }: Host, error: unknown): void => {
  const text =
    error instanceof HandshakeError || !(error instanceof Error)
      ? error instanceof Error
        ? error.message
        : String(error)
      : error.stack
  stderr.write(`${text ?? ''}\n`)
  exit(1)
}
