/** Plays Terraform for a provider: starts it, reads its handshake, calls it and ends it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { Client, credentials } from '@grpc/grpc-js'
import { onTestFinished } from 'vitest'
import {
  type MessageType,
  decodeMessage,
  encodeMessage,
} from '../../../../provider/terraform/wire/protobuf.ts'
import {
  type ProviderMethodName,
  type RequestOf,
  type ResponseOf,
  type StreamName,
  type UnaryMethod,
  providerMethods,
} from '../../../../provider/terraform/wire/services.ts'
import { TOY } from './toy.ts'
import { selfSigned } from '../../../provider/api/support/certificate.ts'

export const COOKIE = {
  TF_PLUGIN_MAGIC_COOKIE: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2',
  PLUGIN_PROTOCOL_VERSIONS: '6,5',
}

/** A key and its certificate, in PEM. */
export interface Identity {
  readonly key: string
  readonly cert: string
}

/** A folder for the test, which is removed after it. */
export const temporaryFolder = (parent = tmpdir()): string => {
  const folder = mkdtempSync(join(parent, 'dm-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

interface StartOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly identity?: Identity
  readonly arguments?: readonly string[]
  /** Whether a shell is in between, which can be killed in place of Terraform. */
  readonly beneathShell?: boolean
}

/** A provider that was started, and everything that it prints. */
export class StartedProvider {
  readonly process: ChildProcess
  readonly identity: Identity
  /** The folder in which it makes the folder of its socket. */
  readonly folder: string
  readonly stdout: Promise<string>
  readonly stderr: Promise<string>
  readonly #firstLine: Promise<string>

  constructor(options: StartOptions = {}) {
    this.identity = options.identity ?? selfSigned()
    this.folder = options.env?.['TMPDIR'] ?? temporaryFolder()
    const command = [process.execPath, TOY, ...(options.arguments ?? [])]
    const [file = '', ...rest] =
      options.beneathShell === true ? ['sh', '-c', '"$@" & wait', 'sh', ...command] : command
    const child = spawn(file, rest, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        TMPDIR: this.folder,
        ...COOKIE,
        PLUGIN_CLIENT_CERT: this.identity.cert,
        ...options.env,
      },
    })
    this.process = child
    this.stdout = text(child.stdout)
    this.stderr = text(child.stderr)
    this.#firstLine = once(createInterface(child.stdout), 'line').then(([line]) => String(line))
    onTestFinished(async () => {
      child.kill('SIGKILL')
      await this.stderr
    })
  }

  /** The line on stdout, split into its six parts. */
  async handshake(): Promise<Handshake> {
    const [core, protocol, network = '', address = '', kind, certificate = ''] = (
      await this.#firstLine
    ).split('|')
    return { core, protocol, network, address, kind, certificate }
  }

  line(): Promise<string> {
    return this.#firstLine
  }

  /** A client like Terraform's, or with another identity. */
  async connect(identity: Identity | 'none' | 'plaintext' = this.identity): Promise<PluginClient> {
    const { network, address, certificate } = await this.handshake()
    const target = network === 'unix' ? `unix:${address}` : address
    const root = Buffer.from(
      `-----BEGIN CERTIFICATE-----\n${certificate.replaceAll(/.{64}/g, '$&\n')}${'='.repeat((4 - (certificate.length % 4)) % 4)}\n-----END CERTIFICATE-----\n`,
    )
    if (identity === 'plaintext') return new PluginClient(target, credentials.createInsecure())
    const [key, cert] =
      identity === 'none' ? [null, null] : [Buffer.from(identity.key), Buffer.from(identity.cert)]
    return new PluginClient(target, credentials.createSsl(root, key, cert))
  }

  /** Resolves with its exit code. */
  async ended(): Promise<number | null> {
    if (this.process.exitCode === null && this.process.signalCode === null) await once(this.process, 'exit')
    return this.process.exitCode
  }
}

interface Handshake {
  readonly core: string | undefined
  readonly protocol: string | undefined
  readonly network: string
  readonly address: string
  readonly kind: string | undefined
  readonly certificate: string
}

/** A client without TLS, as for a provider that was started for reattaching. */
export const connectTo = (path: string): PluginClient =>
  new PluginClient(`unix:${path}`, credentials.createInsecure())

const nothing = (): Buffer => Buffer.alloc(0)

export class PluginClient {
  readonly client: Client
  readonly #calls = new Set<{ cancel(): void }>()

  constructor(target: string, channel: ReturnType<typeof credentials.createInsecure>) {
    this.client = new Client(target, channel, {
      'grpc.ssl_target_name_override': 'localhost',
      'grpc.default_authority': 'localhost',
      'grpc.max_receive_message_length': -1,
      'grpc.max_send_message_length': -1,
      // Each client has its own connection, as each Terraform has.
      'grpc.use_local_subchannel_pool': 1,
    })
    onTestFinished(() => this.client.close())
  }

  /** Makes a call of the provider, by its name in the table of calls. */
  call<N extends ProviderMethodName>(name: N, request: Partial<RequestOf<N>>): Promise<ResponseOf<N>> {
    const method = providerMethods[name] as unknown as UnaryMethod<RequestOf<N>, ResponseOf<N>>
    return this.unary(`/tfplugin6.Provider/${method.name}`, method.request, method.response, request)
  }

  /** Makes a call that is answered by a stream; returns everything that came until it ended. */
  async list<N extends StreamName>(name: N, request: Partial<RequestOf<N>>): Promise<ResponseOf<N>[]> {
    const method = providerMethods[name] as unknown as UnaryMethod<RequestOf<N>, ResponseOf<N>>
    const stream = this.client.makeServerStreamRequest(
      `/tfplugin6.Provider/${method.name}`,
      (message: Partial<RequestOf<N>>) => encodeMessage(method.request, message),
      (content: Buffer) => decodeMessage(method.response, content),
      request,
    )
    const came: ResponseOf<N>[] = []
    for await (const one of stream) came.push(one as ResponseOf<N>)
    return came
  }

  /** Breaks off as a killed Terraform does, without waiting for answers. */
  breakOff(): void {
    for (const call of this.#calls) call.cancel()
    this.client.close()
  }

  /** Holds a stream open; resolves with how it ended. */
  stream(path: string): Promise<'ended' | 'broken off'> {
    const stream = path.endsWith('StartStream')
      ? this.client.makeBidiStreamRequest(path, nothing, (content) => content)
      : this.client.makeServerStreamRequest(path, nothing, (content) => content, {})
    const { promise, resolve } = Promise.withResolvers<'ended' | 'broken off'>()
    stream.on('error', () => resolve('broken off'))
    stream.on('end', () => resolve('ended'))
    stream.resume()
    return promise
  }

  unary<Q extends object, A extends object>(
    path: string,
    request: MessageType<Q>,
    response: MessageType<A>,
    value: Partial<Q>,
  ): Promise<A> {
    const { promise, resolve, reject } = Promise.withResolvers<A>()
    const call = this.client.makeUnaryRequest(
      path,
      (message: Partial<Q>) => encodeMessage(request, message),
      (content: Buffer) => decodeMessage(response, content),
      value,
      (error, answer) => {
        if (error !== null) reject(error)
        else if (answer === undefined) reject(new Error('There was no answer.'))
        else resolve(answer)
      },
    )
    this.#calls.add(call)
    return promise
  }
}
