import { createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { StateReadError } from '../../../../reconciler/errors/index.ts'
import { readSession } from '../../../../reconciler/state/index.ts'
import { selfSigned } from '../../../provider/api/support/certificate.ts'
import { listen } from '../../../support/listen.ts'
import { expected } from '../support/samples.ts'

/** One message of the protocol of Postgres. */
const message = (type: string, ...parts: readonly (string | Buffer)[]): Buffer => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)))
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body])
}
const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
const int16 = (value: number): Buffer => int32(value).subarray(2)
const READY = message('Z', 'I')
const LET_IN = Buffer.concat([message('R', int32(0)), READY])

const TEXT = 25
const TYPES: Readonly<Record<string, number>> = { isStandby: 16, count: 20, journal: 114 }
type Row = Readonly<Record<string, string | null>>
/** A row with a state that is not there yet, as the statement that reads it names the columns. */
const ROW: Row = {
  isStandby: 'f',
  writeId: 'w',
  transaction: '1',
  owner: null,
  unlockedAt: null,
  landedAt: null,
  state: null,
  header: null,
  count: '0',
  journal: null,
}

const columnsOf = (row: Row, types = TYPES): Buffer =>
  message(
    'T',
    int16(Object.keys(row).length),
    ...Object.keys(row).flatMap((name) => [
      `${name}\0`,
      int32(0),
      int16(0),
      int32(types[name] ?? TEXT),
      int16(-1),
      int32(-1),
      int16(0),
    ]),
  )
const valuesOf = (row: Row): Buffer =>
  message(
    'D',
    int16(Object.keys(row).length),
    ...Object.values(row).flatMap((value) =>
      value === null ? [int32(-1)] : [int32(Buffer.byteLength(value)), value],
    ),
  )
const BEGUN = [message('1'), message('2')]
const DONE = [message('C', 'SELECT 1\0'), READY]

/** Sends the same again and again for as long as somebody reads. */
const endlessly = (bytes: Buffer) => (socket: Socket) => {
  const send = (): void => {
    while (!socket.destroyed && socket.write(bytes));
  }
  socket.on('drain', send)
  send()
}

/** What a server says that a person in the middle may have in its place. */
interface Lies {
  readonly toStart?: (socket: Socket) => void
  readonly toStatement?: (socket: Socket) => void
}

/** The address of a state at a server that answers as it is told. */
const liar = async ({ toStart, toStatement }: Lies) => {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    let read = Buffer.alloc(0)
    let isIn = false
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      read = Buffer.concat([read, bytes])
      if (!isIn && toStart !== undefined) return toStart(socket)
      if (!isIn) socket.write(LET_IN)
      // The first message has no type, and each statement ends with a message of the type S for Sync.
      if (isIn && read.includes(message('S'))) toStatement?.(socket)
      isIn = true
      read = Buffer.alloc(0)
    })
  })
  const port = await listen(server)
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { statePath: `postgres://somebody@127.0.0.1:${port}/infra`, expect: expected, command: 'plan' }
}

/** A message of 2 GB, of which it sends as much as is read. */
const vast = (type: string): Buffer => Buffer.concat([Buffer.from(type), int32(0x7f_ff_ff_00)])
const PART = Buffer.alloc(1 << 20, 'x')

test.each<[string, Lies, string]>([
  [
    'one value without end',
    {
      toStatement: (socket) => {
        socket.write(Buffer.concat([...BEGUN, columnsOf(ROW), vast('D')]))
        endlessly(PART)(socket)
      },
    },
    'its answer is larger than 256 MB',
  ],
  [
    'notices without end',
    {
      toStatement: endlessly(
        Buffer.concat(
          Array.from({ length: 1000 }, () => message('N', 'SNOTICE\0M', 'x'.repeat(200), '\0\0')),
        ),
      ),
    },
    'its answer is larger than 256 MB',
  ],
  [
    'rows without end',
    {
      toStatement: (socket) => {
        socket.write(Buffer.concat([...BEGUN, columnsOf(ROW)]))
        endlessly(Buffer.concat(Array.from({ length: 1000 }, () => valuesOf(ROW))))(socket)
      },
    },
    'it answers with more rows than the one that was asked for',
  ],
  [
    'something without end before anybody has proved who they are',
    {
      toStart: (socket) => {
        socket.write(vast('R'))
        endlessly(PART)(socket)
      },
    },
    'its answer is larger than 256 MB',
  ],
])('a server that sends %s is not read for ever', async (_, lies, words) => {
  await expect(readSession(await liar(lies))).rejects.toMatchObject({
    code: StateReadError.code,
    message: expect.stringContaining(words),
  })
})

test('nor is one to which the connection is encrypted', async () => {
  const { key, cert } = selfSigned()
  const sent: Socket[] = []
  const { statePath, ...options } = await liar({
    toStart: (socket) => {
      if (sent.push(socket) > 1) return
      socket.removeAllListeners('data')
      socket.write('S')
      const secure = new TLSSocket(socket, { isServer: true, key, cert })
      secure.on('error', () => undefined)
      secure.once('data', () => {
        secure.write(vast('R'))
        endlessly(PART)(secure)
      })
    },
  })
  await expect(readSession({ ...options, statePath: `${statePath}?sslmode=require` })).rejects.toMatchObject({
    code: StateReadError.code,
    message: expect.stringContaining('its answer is larger than 256 MB'),
  })
})

const answering = (row: Row, types = TYPES): Lies => ({
  toStatement: (socket) =>
    void socket.write(Buffer.concat([...BEGUN, columnsOf(row, types), valuesOf(row), ...DONE])),
})

test('a row without a state is none, so that what the next test sees is about the values', async () => {
  expect(await readSession(await liar(answering(ROW)))).toMatchObject({ exists: false })
})

test.each<[string, Row, Readonly<Record<string, number>>?]>([
  ['a state that is no text', { ...ROW, state: 't' }, { ...TYPES, state: 16 }],
  ['an owner that is no text', { ...ROW, owner: '{}' }, { ...TYPES, owner: 114 }],
  ['a time that is none', { ...ROW, unlockedAt: 'soon' }],
  ['records that are none', { ...ROW, header: '{}', count: '1', journal: '[null]' }],
  ['records that are no list', { ...ROW, header: '{}', count: '1', journal: '{"a":1}' }],
  ['a record that is no text', { ...ROW, header: '{}', count: '1', journal: '[[1,{}]]' }],
  ['no name of its last write', { ...ROW, writeId: '1' }, { ...TYPES, writeId: 23 }],
])('a server that answers with %s is refused in words, and that is no defect', async (_, row, types) => {
  await expect(readSession(await liar(answering(row, types)))).rejects.toMatchObject({
    code: StateReadError.code,
    message: expect.stringMatching(
      /^cannot read the state: Postgres: the answer is not that of a state: \$\.\S+ has/,
    ),
  })
})
