/**
 * Serves a provider to Terraform. The handshake comes first and is cheap; the gRPC library and the provider itself
 * are loaded afterwards, while Terraform connects.
 */
import type { X509Certificate } from 'node:crypto'
import { writeSync } from 'node:fs'
import type { Duplex } from 'node:stream'
import type { ServerCertificate } from './certificate.ts'
import {
  type Environment,
  HandshakeError,
  handshakeLine,
  isStartedByTerraform,
  readClientCertificate,
  reattachValue,
} from './handshake.ts'
import { type Logger, createLogger, wantsLogs } from './log.ts'
import type { FailureText } from '../wire/answer-call.ts'
import { Lifetime } from '../wire/lifetime.ts'
import { type Listener, listen } from './listen.ts'
import type { ProviderHandlers } from '../wire/services.ts'

/** Loads the provider, which also reads the environment; called once, after the handshake. */
export type LoadProvider = (env: Environment, log: Logger) => ProviderHandlers | Promise<ProviderHandlers>

export interface ServeOptions {
  /** The diagnostics for an error that a handler threw. */
  readonly describeFailure?: FailureText
}

/** Serves the Terraform that started this process, and ends with it. */
export const serve = async (load: LoadProvider, options: ServeOptions = {}): Promise<void> => {
  const log = beginLog()
  const { tls, listener } = await listenToTerraform().catch(failToStart)
  try {
    const print = takeStdout()
    const lifetime = begin(listener, { single: true })
    // Terraform stops a provider by a call; the terminal's signal reaches both, and must not act first.
    process.on('SIGINT', () => undefined)
    print(handshakeLine(listener.address, tls?.own.der))
    await accept(load, { ...options, log, listener, lifetime, tls })
  } catch (error) {
    fail(error)
  }
}

const listenToTerraform = async (): Promise<Pick<Serving, 'tls' | 'listener'>> => {
  const clientCertificate = readClientCertificate(process.env)
  const tls = clientCertificate === undefined ? undefined : await prepareTls(clientCertificate)
  return { tls, listener: await listen({ encrypted: tls !== undefined }) }
}

interface ReattachOptions extends ServeOptions {
  /** Terraform's name for the provider: `registry.terraform.io/deploymgmt/deploymgmt`. */
  readonly provider: string
}

/** Serves every Terraform that gets the printed variable, until it is interrupted: for debuggers. */
export const serveReattach = async (load: LoadProvider, options: ReattachOptions): Promise<void> => {
  const log = beginLog()
  try {
    const listener = await listen({ encrypted: false })
    const print = takeStdout()
    const lifetime = begin(listener, { single: false })
    process.on('SIGINT', () => lifetime.gone())
    await accept(load, { ...options, log, listener, lifetime, tls: undefined })
    const value = reattachValue(options.provider, listener.address, process.pid)
    print(`TF_REATTACH_PROVIDERS='${value}'\n`)
  } catch (error) {
    fail(error)
  }
}

const beginLog = (): Logger => {
  // Terraform reads stderr; if Terraform is gone, nobody does, and that is no failure.
  process.stderr.on('error', () => undefined)
  return createLogger({
    write: (text) => process.stderr.write(text),
    now: Date.now,
    verbose: wantsLogs(process.env),
  })
}

interface Tls {
  readonly own: ServerCertificate
  readonly client: X509Certificate
}

const prepareTls = async (clientCertificate: string): Promise<Tls> => {
  const { createServerCertificate, parseCertificate } = await import('./certificate.ts')
  const client = parseCertificate(clientCertificate)
  if (client === undefined) throw new HandshakeError('PLUGIN_CLIENT_CERT holds no certificate in PEM.')
  return { own: createServerCertificate(Date.now()), client }
}

/** Terraform takes every line on stdout for the handshake, so everything printed from now on goes to stderr. */
const takeStdout = (): ((line: string) => void) => {
  const { stdout, stderr } = process
  const write = stdout.write.bind(stdout)
  stdout.write = stderr.write.bind(stderr)
  return (line) => void write(line)
}

const begin = (listener: Listener, { single }: { single: boolean }): Lifetime => {
  const lifetime = new Lifetime({ exit: (code) => process.exit(code), parentAlive: parentWatch(), single })
  process.on('exit', () => listener.close())
  process.on('SIGTERM', () => lifetime.gone())
  process.on('SIGHUP', () => lifetime.gone())
  return lifetime
}

/** When its parent ends, a process gets another one; on Windows it keeps the id of the old one. */
const parentWatch = (): (() => boolean) => {
  const parent = process.ppid
  if (process.platform !== 'win32') return () => process.ppid === parent
  return () => {
    try {
      return process.kill(parent, 0)
    } catch {
      return false
    }
  }
}

interface Serving extends ServeOptions {
  readonly log: Logger
  readonly listener: Listener
  readonly lifetime: Lifetime
  readonly tls: Tls | undefined
}

const accept = async (load: LoadProvider, serving: Serving): Promise<void> => {
  const { log, listener, lifetime, tls } = serving
  const [{ createGrpcServer }, { plainFailure }] = await Promise.all([
    import('../wire/grpc-server.ts'),
    import('../wire/answer-call.ts'),
  ])
  const handlers = await load(process.env, log)
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

/** The listener pauses a connection. TLS resumes reading by itself; without TLS, nothing does. */
const awake = (connection: Duplex): Duplex => {
  connection.read(0)
  return connection
}

/** Terraform shows no stderr of a provider that fails to start, but a first line on stdout that is no handshake. */
const failToStart = (error: unknown): never => {
  if (isStartedByTerraform(process.env))
    try {
      writeSync(process.stdout.fd, textOf(error))
    } catch {
      // Terraform is gone.
    }
  return fail(error)
}

const fail = (error: unknown): never => {
  process.stderr.write(textOf(error))
  process.exit(1)
}

const textOf = (error: unknown): string => {
  const stack = error instanceof Error ? error.stack : String(error)
  return `${error instanceof HandshakeError ? error.message : (stack ?? '')}\n`
}
