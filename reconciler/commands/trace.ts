import { open, type FileHandle } from 'node:fs/promises'
import { resolve } from 'node:path'
import { printable, type RequestEvent } from '@deploymgmt/provider/api'
import { isNone, type Operation } from '@deploymgmt/provider/core'
import { inWords } from '../disk/files.ts'
import { OutputError } from '../errors/index.ts'
import { concealed, type Io } from '../io.ts'
import type { CommonOptions } from './options.ts'

/** Tells of each request, a line each. No body is ever told, and no credential. */
export interface Trace {
  readonly onRequest: (event: RequestEvent) => void
  readonly close: () => Promise<void>
}

/**
 * Where `--trace` or DEPLOYMGMT_TRACE asks for it; the file is there before anything is sent.
 *
 * @throws OutputError naming the file
 */
export const traceFor = async (
  io: Io,
  { trace = false }: Pick<CommonOptions, 'trace'>,
): Promise<Trace | undefined> => {
  const path = io.env['DEPLOYMGMT_TRACE'] || undefined
  if (!trace && path === undefined) return undefined
  const purposeOf = await purposes()
  const file = path === undefined ? undefined : await fileAt(resolve(io.cwd, path))
  const written = file?.createWriteStream()
  // A trace that cannot be written any more stops nothing.
  written?.on('error', () => undefined)
  return {
    onRequest: (event) => {
      const text = concealed(`${lineOf(event, io.now(), purposeOf(event))}\n`, io.secrets)
      if (trace) io.stderr.write(text)
      written?.write(text)
    },
    close: async () => {
      if (written !== undefined) await new Promise((done) => written.end(done))
    },
  }
}

/** What a line of ours begins with. */
const BEGINNING = /^\d{4}-\d\d-\d\dT/u

/** Lines are added to those of earlier commands; what holds anything else is left alone. */
const fileAt = async (path: string): Promise<FileHandle> => {
  const refuse = (why: string, cause?: unknown): OutputError =>
    new OutputError(`the trace cannot be written: ${why}`, { where: path, cause })
  const file = await open(path, 'a+', 0o600).catch((error: unknown) => {
    throw refuse(inWords(error), error)
  })
  const isFile = (await file.stat()).isFile()
  const start = isFile ? (await file.read({ length: 20, position: 0 })).buffer.toString() : ''
  if (!isFile || start.startsWith('\0') || BEGINNING.test(start)) {
    if (isFile) await file.chmod(0o600)
    return file
  }
  await file.close()
  throw refuse('the file holds something else, which is left as it is')
}

/** `… GET /groups/5c81…/alertConfigs → 200 in 12 ms · endpoint 5, attempt 2 after DM-SERVICE-FAILURE, waited 400 ms`. */
const lineOf = (event: RequestEvent, at: Date, purpose: string | undefined): string => {
  const { method, path, status, attempt, ms, authorized, waitedMs, after, about } = event
  const why = [
    ...(authorized ? [] : ['asks for a challenge']),
    ...(about === undefined ? [] : [printable(about)]),
    ...(purpose === undefined ? [] : [purpose]),
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(after === undefined ? [] : [`after ${printable(after)}`]),
    ...(waitedMs >= 1 ? [`waited ${Math.round(waitedMs)} ms`] : []),
  ]
  const answer = status === undefined ? 'no answer' : String(status)
  const line = `${at.toISOString()} ${method} ${printable(path, 2000)} → ${answer} in ${Math.round(ms)} ms`
  return why.length === 0 ? line : `${line} · ${why.join(', ')}`
}

interface Purpose {
  readonly method: string
  readonly pattern: RegExp
  readonly says: string
}

/** What definitions say of the endpoint that a request goes to. */
const purposes = async (): Promise<(event: RequestEvent) => string | undefined> => {
  const [{ kinds }, { dataSources }] = await Promise.all([
    import('@deploymgmt/provider/kinds'),
    import('@deploymgmt/provider/data-sources'),
  ])
  const all: Purpose[] = [
    ...dataSources.map(({ operation, name }) => purposeOf(operation, `reads ${name}`)),
    ...kinds.flatMap(({ kind, write, absence, establish: { create } }) => [
      ...(isNone(create) ? [] : [purposeOf(create.operation, `creates ${kind}`)]),
      ...(isNone(write) ? [] : [purposeOf(write.operation, `changes ${kind}`)]),
      ...(isNone(absence) ? [] : [purposeOf(absence.operation, `deletes ${kind}`)]),
    ]),
  ]
  return ({ method, path }) => {
    const [plain = ''] = path.split('?')
    return all.find((each) => each.method === method && each.pattern.test(plain))?.says
  }
}

const purposeOf = ({ method, path, endpoint }: Operation, does: string): Purpose => {
  const literal = path
    .replace(/\/$/u, '')
    .split(/\{\w+\}/u)
    .map((part) => part.replaceAll(/[.*+?^$()[\]|\\]/gu, String.raw`\$&`))
  return {
    method,
    pattern: new RegExp(`^${literal.join('[^/]+')}/?$`, 'u'),
    says: `${does} (endpoint ${endpoint})`,
  }
}
