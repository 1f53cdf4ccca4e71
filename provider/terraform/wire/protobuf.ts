/**
 * Protocol buffers from tables: a message is a name and its fields, a field a number and a codec. Only the used part
 * of proto3: scalars, nested messages, repeated messages, and maps from strings to messages.
 */
import protobuf from 'protobufjs/minimal.js'

const { Reader, Writer } = protobuf
type Reading = protobuf.Reader
type Writing = protobuf.Writer

/** How one field is read and written. `V` is the type of its value in the message's interface. */
export interface Field<out V> {
  readonly number: number
  readonly wireType: number
  /** The value in a message that was sent without this field; undefined for a nested message. */
  readonly initial: () => V | undefined
  readonly write: (writer: Writing, value: unknown) => void
  /** Reads one occurrence; `before` is the result of the earlier ones. */
  readonly read: (reader: Reading, before: unknown) => unknown
}

/** A message: every property of its interface, each with its field. */
export interface MessageType<T extends object> {
  /** As in the protocol: `PlanResourceChange.Request`. */
  readonly name: string
  readonly fields: { readonly [K in keyof T]-?: Field<T[K] | undefined> }
}

export type FieldTable = Readonly<Record<string, Field<unknown>>>
type ValueOf<F> = F extends Field<infer V> ? V : never

/** The type of a decoded message with these fields; nested messages that were not sent are absent. */
export type MessageOf<F extends FieldTable> = {
  [K in keyof F as undefined extends ValueOf<F[K]> ? never : K]: ValueOf<F[K]>
} & { [K in keyof F as undefined extends ValueOf<F[K]> ? K : never]?: ValueOf<F[K]> }

/** The type of a message. */
export type Of<M> = M extends MessageType<infer T> ? T : never

/** A message whose type follows from its fields. */
export const message = <F extends FieldTable>(name: string, fields: F): MessageType<MessageOf<F>> => ({
  name,
  fields: fields as unknown as MessageType<MessageOf<F>>['fields'],
})

const VARINT = 0
const DELIMITED = 2

export const string = (number: number): Field<string> => ({
  number,
  wireType: DELIMITED,
  initial: () => '',
  write: (writer, value) => {
    if (value !== '') writer.uint32(tag(number, DELIMITED)).string(value as string)
  },
  // Not with the reader's own method, which accepts a truncated string as a shorter one.
  read: (reader) => {
    const content = reader.bytes()
    return Buffer.from(content.buffer, content.byteOffset, content.length).toString('utf8')
  },
})

const NO_BYTES = new Uint8Array(0)

export const bytes = (number: number): Field<Uint8Array> => ({
  number,
  wireType: DELIMITED,
  initial: () => NO_BYTES,
  write: (writer, value) => {
    const content = value as Uint8Array
    if (content.length > 0) writer.uint32(tag(number, DELIMITED)).bytes(content)
  },
  read: (reader) => reader.bytes(),
})

export const bool = (number: number): Field<boolean> => ({
  number,
  wireType: VARINT,
  initial: () => false,
  write: (writer, value) => {
    if (value === true) writer.uint32(tag(number, VARINT)).bool(true)
  },
  read: (reader) => reader.bool(),
})

/** An `int64` or `uint32` as a JavaScript number: schema versions, indices and counts are small. */
export const integer = (number: number): Field<number> => ({
  number,
  wireType: VARINT,
  initial: () => 0,
  write: (writer, value) => {
    if (value !== 0) writer.uint32(tag(number, VARINT)).int64(value as number)
  },
  read: (reader) => {
    // A number, or an object of the `long` package if that is installed.
    const read = reader.int64() as unknown as number | { toNumber(): number }
    return typeof read === 'number' ? read : read.toNumber()
  },
})

/** An enumeration as its number. */
export const enumeration = <V extends number>(number: number): Field<V> => integer(number) as Field<V>

/** A nested message; a function, because messages can contain themselves. */
export const nested = <T extends object>(
  number: number,
  type: () => MessageType<T>,
): Field<T | undefined> => ({
  number,
  wireType: DELIMITED,
  initial: () => undefined,
  write: (writer, value) => {
    writer.uint32(tag(number, DELIMITED)).fork()
    writeFields(type(), value as Partial<T>, writer)
    writer.ldelim()
  },
  read: (reader) => readFields(type(), reader, reader.uint32() + reader.pos),
})

export const repeated = <T extends object>(number: number, type: () => MessageType<T>): Field<T[]> => {
  const one = nested(number, type)
  return {
    ...one,
    initial: () => [],
    write: (writer, value) => {
      for (const element of value as readonly T[]) one.write(writer, element)
    },
    read: (reader, before) => {
      const elements = before as T[]
      elements.push(one.read(reader, undefined) as T)
      return elements
    },
  }
}

interface Entry<T> {
  key: string
  value?: T | undefined
}

/** A map from strings to messages. It is read into an object without a prototype, so that every key is only a key. */
export const mapOfMessages = <T extends object>(
  number: number,
  type: () => MessageType<T>,
): Field<Record<string, T>> => {
  const entry: MessageType<Entry<T>> = { name: 'entry', fields: { key: string(1), value: nested(2, type) } }
  const one = nested(number, () => entry)
  return {
    ...one,
    initial: () => Object.create(null) as Record<string, T>,
    write: (writer, record) => {
      for (const [key, value] of Object.entries(record as Record<string, T>))
        one.write(writer, { key, value })
    },
    read: (reader, before) => {
      const record = before as Record<string, T>
      const { key, value } = one.read(reader, undefined) as Entry<T>
      // An entry may be sent without its value, which is then an empty message.
      record[key] = value ?? ({} as T)
      return record
    },
  }
}

/** The bytes of a message. Omitted fields are absent, which readers take for the default. */
export const encodeMessage = <T extends object>(type: MessageType<T>, value: Partial<T>): Buffer => {
  const writer = Writer.create()
  writeFields(type, value, writer)
  const content = writer.finish()
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength)
}

/** Decodes a message. Fields that the table does not know are skipped: newer hosts send more. */
export const decodeMessage = <T extends object>(type: MessageType<T>, content: Uint8Array): T =>
  readFields(type, Reader.create(content), content.length)

const tag = (number: number, wireType: number): number => (number << 3) | wireType

type AnyField = Field<unknown>

const writeFields = <T extends object>(type: MessageType<T>, value: Partial<T>, writer: Writing): void => {
  for (const [name, field] of Object.entries<AnyField>(type.fields)) {
    const content = (value as Record<string, unknown>)[name]
    if (content !== undefined) field.write(writer, content)
  }
}

const readFields = <T extends object>(type: MessageType<T>, reader: Reading, end: number): T => {
  const read: Record<string, unknown> = {}
  const byTag = fieldsByTag(type)
  for (const [name, field] of byTag.values()) {
    const initial = field.initial()
    if (initial !== undefined) read[name] = initial
  }
  while (reader.pos < end) {
    const found = reader.uint32()
    const known = byTag.get(found)
    if (known === undefined) reader.skipType(found & 7)
    else read[known[0]] = known[1].read(reader, read[known[0]])
  }
  if (reader.pos !== end) throw new RangeError(`${type.name} is longer than it says.`)
  return read as T
}

type ByTag = ReadonlyMap<number, readonly [string, AnyField]>
const tables = new WeakMap<object, ByTag>()

/**
 * Cached for each message type. Fields are found by number and wire type, so a field with another wire type is
 * unknown.
 */
const fieldsByTag = <T extends object>(type: MessageType<T>): ByTag => {
  const known = tables.get(type)
  if (known !== undefined) return known
  const table = new Map(
    Object.entries<AnyField>(type.fields).map(([name, field]) => [
      tag(field.number, field.wireType),
      [name, field] as const,
    ]),
  )
  tables.set(type, table)
  return table
}
