import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { listen } from './listen.ts'

/**
 * What happens to a transaction: it is answered, or its connection is cut before or after it was carried out, or cut
 * and it is carried out late.
 */
export type Fate = 'answer' | 'cut-before' | 'cut-after' | 'late'

export interface Asked {
  readonly text: string
  readonly nth: number
}

interface Pooler {
  /** The address for `--state`. */
  readonly address: string
  /** Called for each transaction, in order; the transaction waits until this resolves. */
  fate: (transaction: Asked) => Fate | Promise<Fate>
  /** Awaited before an answer is sent; by then the transaction is carried out. */
  beforeAnswer: (transaction: Asked) => Promise<void> | void
  /** How many there were so far. */
  transactions: number
  /** Resets a connection that the client closes properly. */
  isRude: boolean
  /** Carries out the late transactions. */
  arrive(): Promise<void>
}

/**
 * A pooler before a server that lets everybody in. It gives each transaction another connection, so that nothing
 * outlives a transaction, and decides its fate.
 */
export const startPooler = async (port: number): Promise<Pooler> => {
  const late: (() => Promise<unknown>)[] = []
  const sockets = new Set<Socket>()
  const pooler: Pooler = {
    address: '',
    fate: () => 'answer',
    beforeAnswer: () => undefined,
    transactions: 0,
    isRude: false,
    arrive: async () => {
      for (const each of late.splice(0)) await each()
    },
  }
  const server = createServer((socket) => {
    sockets.add(socket)
    serve(pooler, port, socket, late).catch(() => socket.destroy())
  })
  const own = await listen(server)
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return Object.assign(pooler, { address: `postgres://trusted@127.0.0.1:${own}/infra` })
}

const serve = async (
  pooler: Pooler,
  port: number,
  socket: Socket,
  late: (() => Promise<unknown>)[],
): Promise<void> => {
  let [startup, asked]: (Buffer | undefined)[] = [undefined, Buffer.alloc(0)]
  for await (const message of messagesOf(socket)) {
    if (startup === undefined) {
      startup = message
      socket.write(await carryOut(port, [startup]))
      continue
    }
    if (pooler.isRude && message.toString('latin1', 0, 1) === 'X') return void socket.resetAndDestroy()
    asked = Buffer.concat([asked ?? Buffer.alloc(0), message])
    if (!'QS'.includes(String.fromCodePoint(message[0] ?? 0))) continue
    const transaction = [startup, asked]
    asked = undefined
    pooler.transactions += 1
    const asking = { text: transaction.join(''), nth: pooler.transactions }
    const fate = await pooler.fate(asking)
    if (fate === 'late') late.push(() => carryOut(port, transaction))
    const answer = fate === 'answer' || fate === 'cut-after' ? await carryOut(port, transaction) : undefined
    if (fate !== 'answer' || answer === undefined) {
      socket.resetAndDestroy()
      return
    }
    await pooler.beforeAnswer(asking)
    socket.write(answer)
  }
}

/** The messages that a client sends: the first begins with its length, all others have a letter before it. */
const messagesOf = async function* (socket: Socket): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  let letter = 0
  for await (const chunk of socket) {
    rest = Buffer.concat([rest, chunk as Buffer])
    while (rest.length >= letter + 4 && rest.length >= letter + rest.readUInt32BE(letter)) {
      const end = letter + rest.readUInt32BE(letter)
      yield rest.subarray(0, end)
      rest = rest.subarray(end)
      letter = 1
    }
  }
}

/** Sends messages over a connection of its own, one after the other. @returns the answer to the last one */
const carryOut = async (port: number, said: readonly Buffer[]): Promise<Buffer> => {
  const upstream = connect(port, '127.0.0.1')
  await once(upstream, 'connect')
  let answer: Buffer = Buffer.alloc(0)
  for (const each of said) {
    upstream.write(each)
    answer = await untilReady(upstream)
  }
  upstream.end()
  return answer
}

/** Each answer ends with the message that the server is ready. */
const untilReady = async (upstream: Socket): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for (;;) {
    const [chunk] = (await once(upstream, 'data')) as [Buffer]
    chunks.push(chunk)
    const answer = Buffer.concat(chunks)
    if (answer.subarray(-6, -1).equals(READY)) return answer
  }
}

const READY = Buffer.from('Z\0\0\0\u0005')
