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

/** How the pooler gets connections. */
type Upstream = (startup: Buffer) => Promise<Lent>

/**
 * A pooler before a server that lets everybody in. It gives each transaction another connection, so that nothing
 * outlives a transaction, and decides its fate.
 *
 * @param isReusing whether it takes a connection again after `DISCARD ALL`, because a new one costs the server a process;
 * what is set for a role in the meantime does not count then
 */
export const startPooler = async (port: number, isReusing = false): Promise<Pooler> => {
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
    serve(pooler, upstream, socket, late).catch(() => socket.destroy())
  })
  const upstream = isReusing ? kept(port, sockets) : (startup: Buffer) => connected(port, startup)
  const own = await listen(server)
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return Object.assign(pooler, { address: `postgres://trusted@127.0.0.1:${own}/infra` })
}

const serve = async (
  pooler: Pooler,
  upstream: Upstream,
  socket: Socket,
  late: (() => Promise<unknown>)[],
): Promise<void> => {
  let [startup, asked]: (Buffer | undefined)[] = [undefined, Buffer.alloc(0)]
  const carryOut = async (first: Buffer, transaction?: Buffer): Promise<Buffer> => {
    const lent = await upstream(first)
    try {
      return transaction === undefined ? lent.greeting : await lent.ask(transaction)
    } finally {
      await lent.giveBack()
    }
  }
  for await (const message of messagesOf(socket)) {
    if (startup === undefined) {
      startup = message
      socket.write(await carryOut(startup))
      continue
    }
    if (pooler.isRude && message.toString('latin1', 0, 1) === 'X') return void socket.resetAndDestroy()
    asked = Buffer.concat([asked ?? Buffer.alloc(0), message])
    if (!'QS'.includes(String.fromCodePoint(message[0] ?? 0))) continue
    const [first, transaction] = [startup, asked]
    asked = undefined
    pooler.transactions += 1
    const asking = { text: [first, transaction].join(''), nth: pooler.transactions }
    const fate = await pooler.fate(asking)
    if (fate === 'late') late.push(() => carryOut(first, transaction))
    const answer = fate === 'answer' || fate === 'cut-after' ? await carryOut(first, transaction) : undefined
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

/** A connection to the server, for one transaction. */
interface Lent {
  /** What the server said when it was opened. */
  readonly greeting: Buffer
  readonly ask: (transaction: Buffer) => Promise<Buffer>
  readonly giveBack: () => Promise<void> | void
}

interface Connected extends Lent {
  readonly socket: Socket
}

const connected = async (port: number, startup: Buffer): Promise<Connected> => {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const ask = (said: Buffer): Promise<Buffer> => {
    socket.write(said)
    return untilReady(socket)
  }
  return { socket, greeting: await ask(startup), ask, giveBack: () => void socket.end() }
}

/** Connections that are cleared and used again. @param sockets those that are destroyed at the end */
const kept = (port: number, sockets: Set<Socket>): Upstream => {
  const idle = new Map<string, Connected[]>()
  return async (startup) => {
    const alike = idle.get(startup.toString('latin1')) ?? []
    idle.set(startup.toString('latin1'), alike)
    const one = alike.pop() ?? (await connected(port, startup))
    // Nobody waits for one that is idle when the server ends.
    if (!sockets.has(one.socket)) one.socket.on('error', () => undefined)
    sockets.add(one.socket)
    const giveBack = async (): Promise<void> => {
      const answer = await one.ask(CLEAR)
      if (!answer.includes('DISCARD ALL')) throw new Error(`not cleared: ${answer.toString('latin1')}`)
      alike.push(one)
    }
    return { ...one, giveBack }
  }
}

/** The query `DISCARD ALL`, after which nothing of a session is left. */
const CLEAR = Buffer.from('Q\0\0\0\u0010DISCARD ALL\0')

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
