import { expect, onTestFinished, test, vi } from 'vitest'
import {
  StateAddressError,
  StateCorruptError,
  StateReadError,
  StateWriteError,
} from '../../../../reconciler/errors/index.ts'
import { initState, openSession, readSession } from '../../../../reconciler/state/index.ts'
import { intentFor, put } from '../support/samples.ts'
import { system, optionsFor, begun, failureOf, always } from './support/http.ts'
import { type Answered, stateServer } from './support/state-server.ts'

test.each([
  ['7', 7000],
  ['Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
  ['86400', 60_000],
])('a server that asks for a pause of %s is left alone for %d ms', async (header, pause) => {
  const { server, options } = await begun()
  const pauses: number[] = []
  const given = {
    ...system,
    now: () => new Date('2026-11-20T12:00:00Z'),
    random: () => 1,
    pause: async (ms: number) => void pauses.push(ms),
  }
  let asked = 0
  server.fate = ({ method }) => {
    if (method !== 'GET') return 'answer'
    asked += 1
    return asked === 3 ? 'answer' : { status: 429, headers: { 'retry-after': header } }
  }
  await readSession(options, given)
  expect(pauses).toStrictEqual([pause, pause])
})

test('an answer that is larger than any state is not read', async () => {
  const { server, options } = await begun()
  server.fate = () => ({ status: 200, headers: { 'content-length': '300000000' } })
  await expect(readSession(options, system)).rejects.toThrow('is larger than 256 MB')
})

test.each<[string, number, string, string]>([
  ['POST', 400, 'bad request', 'ask the people who run the server'],
  ['POST', 401, 'not authenticated', 'DEPLOYMGMT_STATE_PASSWORD'],
  ['POST', 403, 'not allowed', 'may write there'],
  ['POST', 404, 'there is nothing at this address', 'Check the address'],
  ['POST', 413, 'the document is too large', 'Raise the limit'],
  ['POST', 422, 'expects a newer serial', 'deploymgmt state pull'],
  ['POST', 302, 'refused', 'use the address that it redirects to'],
  ['POST', 429, 'too many requests', ''],
])('a save that a %s is answered with %d for is told in words', async (method, status, words, hint) => {
  const { server, open } = await begun()
  const session = await open()
  always(server, method, status)
  const error = await failureOf(session.intent(intentFor('things.a')))
  expect(error).toMatchObject({ code: StateWriteError.code, message: expect.stringContaining(words) })
  expect((error as StateWriteError).hint).toContain(hint)
  expect(String(error)).toContain(String(status))
  server.fate = () => 'answer'
  await session.effects([put('things.b')])
  await session.close()
})

test('where what is there cannot be read, nothing is written over it, and the error says why', async () => {
  const { server, open } = await begun()
  const session = await open()
  always(server, 'GET', 403)
  expect(await failureOf(session.intent(intentFor('things.a')))).toMatchObject({
    code: StateWriteError.code,
    message: expect.stringMatching(/^cannot write the state: the server answers 403: not allowed/),
    where: server.address,
    hint: expect.stringContaining('may read there'),
  })
  server.fate = () => 'answer'
  await session.close()
})

test.each([
  [401, StateReadError, 'DEPLOYMGMT_STATE_USERNAME'],
  [403, StateReadError, 'may read there'],
  [500, StateReadError, 'Try again later'],
  [301, StateReadError, 'redirects to'],
])('what cannot be read for %d is told in words', async (status, Failure, hint) => {
  const { server, options } = await begun()
  always(server, 'GET', status)
  const error = await failureOf(readSession(options, system))
  expect(error).toBeInstanceOf(Failure)
  expect(error).toMatchObject({ where: server.address, hint: expect.stringContaining(hint) })
})

test('what a server says is shown without credentials, without what drives a terminal, and not where it is a page', async () => {
  const { server, open } = await begun('gitlab')
  const basic = Buffer.from('ci:canary-password').toString('base64')
  const said: Answered = { status: 400, body: `no: ${basic}, canary-password \u001b[31m` }
  server.fate = ({ method }) => (method === 'GET' ? 'answer' : said)
  const shown = '(no: (hidden), (hidden) \\u001B[31m)'
  await expect(open()).rejects.toThrow(`the server answers 400: bad request ${shown}`)
  server.fate = () => ({ status: 400, body: '<!DOCTYPE html><title>canary</title>' })
  await expect(open()).rejects.toThrow(/bad request$/)
})

test('what is no state of deploymgmt is left as it is', async () => {
  const server = await stateServer()
  const terraform = JSON.stringify({ version: 4, serial: 3, lineage: 'x', outputs: {}, resources: [] })
  server.document = terraform
  for (const attempt of [initState, openSession, readSession])
    await expect(attempt(optionsFor(server), system)).rejects.toThrow(StateAddressError)
  expect([server.document, server.lock]).toStrictEqual([terraform, undefined])
})

test.each([
  ['{', 'it is not valid JSON'],
  ['{"deploymgmt":{},"deploymgmt":{}}', 'is given twice'],
  ['{"version":4,"serial":1,"lineage":"x","deploymgmt":{"save":"x","journal":{"header":{}}}}', 'records'],
  ['{"version":5,"serial":1,"lineage":"x","deploymgmt":{"save":"x"}}', 'version'],
])('a damaged document is refused, and left as it is: %s', async (text, words) => {
  const { server, options, open } = await begun()
  server.document = text
  await expect(open()).rejects.toThrow(words)
  await expect(readSession(options, system)).rejects.toThrow(StateCorruptError)
  expect([server.document, server.lock]).toStrictEqual([text, undefined])
})

test('an answer that was changed on the way counts as none', async () => {
  const { server, options } = await begun()
  expect(server.document).toBeDefined()
  server.hasWrongDigest = true
  await expect(readSession(options, system)).rejects.toThrow('was changed on the way')
})

test('a page in place of a state is told as one', async () => {
  const { server, options, open } = await begun()
  always(server, 'GET', { status: 200, body: '\n<!doctype html><title>Sign in</title>' })
  for (const work of [readSession(options, system), open()])
    expect(await failureOf(work)).toMatchObject({
      code: StateAddressError.code,
      message: expect.stringContaining('a page for a browser'),
      hint: expect.stringContaining('login page'),
      where: server.address,
    })
  expect(server.lock).toBeUndefined()
})

test('who is waited for is said, once, where a server does not answer for a while', async () => {
  const { server, options } = await begun()
  const said: string[] = []
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  server.beforeAnswer = () => void vi.advanceTimersByTime(5_000)
  const say = async (text: string): Promise<void> => void said.push(text)
  const session = await openSession(options, { ...system, say })
  await session.close()
  expect(said).toEqual([
    `The server of the state has not answered for 5 s; it is waited for, up to 60 s each time that it is asked: ${server.address}`,
  ])
})
