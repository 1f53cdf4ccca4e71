import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { type Reply, http } from './support/client.ts'
import { type Challenge, answer, readChallenge } from './support/digest.ts'
import { ids, keys } from './support/fixture.ts'
import { type TestService, serve, serveWith } from './support/service.ts'

const path = `/groups/${ids.project}/automationStatus`

const challengeOf = async (url: string): Promise<Challenge> => {
  const reply = await http('GET', url)
  return readChallenge(String(reply.headers['www-authenticate']))
}

/** Sends the answer to a challenge once, without handling a new challenge. */
const sendAnswer = async (
  { baseUrl }: TestService,
  challenge: Challenge,
  count?: number,
  key = keys.ci,
): Promise<Reply> => {
  const url = baseUrl + path
  const authorization = answer(challenge, key, { method: 'GET', target: new URL(url).pathname }, count)
  return await http('GET', url, { headers: { authorization } })
}

const isStale = (reply: Reply): boolean =>
  reply.status === 401 && readChallenge(String(reply.headers['www-authenticate'])).stale

describe('the challenge', () => {
  test('a request without credentials gets 401 with a challenge and a JSON body', async () => {
    const { baseUrl } = await serve()
    const reply = await http('GET', baseUrl + path)
    expect(reply.status).toBe(401)
    expect(reply.headers['www-authenticate']).toMatch(
      /^Digest realm="Public API", domain="", nonce="[\w-]{43}", algorithm=MD5, op="auth", qop="auth", stale=false$/,
    )
    expect(reply.headers['content-type']).toBe('application/json;charset=ISO-8859-1')
    expect(reply.body).toMatchObject({ error: 401, errorCode: 'NO_CURRENT_USER', reason: 'Unauthorized' })
  })

  test.each([
    ['op', /algorithm=MD5, op="auth", stale=false$/],
    ['qop', /algorithm=MD5, qop="auth", stale=false$/],
  ])('open.digest=%s offers that alone', async (value, pattern) => {
    const { baseUrl } = await serveWith({ 'open.digest': value })
    expect((await http('GET', baseUrl + path)).headers['www-authenticate']).toMatch(pattern)
  })

  test('an unknown path below the base URL asks for credentials too', async () => {
    const { baseUrl } = await serve()
    expect((await http('GET', `${baseUrl}/nothing`)).status).toBe(401)
  })
})

describe('credentials', () => {
  test('an answer with qop and one of RFC 2069 are accepted', async () => {
    const service = await serve()
    const challenge = await challengeOf(service.baseUrl + path)
    expect((await sendAnswer(service, challenge, 1)).status).toBe(200)
    expect((await sendAnswer(service, challenge)).status).toBe(200)
  })

  test('an answer without qop counts once: without a count, a repetition may be a replay', async () => {
    const service = await serve()
    const challenge = await challengeOf(service.baseUrl + path)
    expect((await sendAnswer(service, challenge)).status).toBe(200)
    expect(isStale(await sendAnswer(service, challenge))).toBe(true)
    expect((await sendAnswer(service, await challengeOf(service.baseUrl + path))).status).toBe(200)
    // The same answer in upper case counts as the same answer.
    const url = service.baseUrl + path
    const asked = { method: 'GET', target: new URL(url).pathname }
    const shouted = answer(challenge, keys.ci, asked).replace(
      /response="(\w+)"/,
      (_, response: string) => `response="${response.toUpperCase()}"`,
    )
    expect(isStale(await http('GET', url, { headers: { authorization: shouted } }))).toBe(true)
  })

  test('open.repeatedAnswer=accept takes one without qop again and again', async () => {
    const service = await serveWith({ 'open.repeatedAnswer': 'accept' })
    const challenge = await challengeOf(service.baseUrl + path)
    for (let time = 0; time < 3; time += 1) expect((await sendAnswer(service, challenge)).status).toBe(200)
  })

  test.each(['both', 'op', 'qop'])('curl --digest is let in under open.digest=%s', async (value) => {
    const { baseUrl } = await serveWith({ 'open.digest': value })
    const options = ['-s', '--digest', '-u', `${keys.ci.publicKey}:${keys.ci.privateKey}`]
    const { stdout } = await promisify(execFile)('curl', [...options, `${baseUrl}${path}?pretty=true`])
    expect(JSON.parse(stdout)).toMatchObject({ goalVersion: 29 })
  })

  test('a wrong key, an unknown key and a wrong realm are refused alike, without stale', async () => {
    const service = await serve()
    const challenge = await challengeOf(service.baseUrl + path)
    const wrong = { ...keys.ci, privateKey: 'wrong' }
    const replies = [
      await sendAnswer(service, challenge, 1, wrong),
      await sendAnswer(service, challenge, 1, { publicKey: 'nobody', privateKey: 'x' }),
      await sendAnswer(service, { ...challenge, realm: 'Other' }, 1),
    ]
    for (const reply of replies) {
      expect([reply.status, reply.body.errorCode]).toEqual([401, 'USER_UNAUTHORIZED'])
      expect(readChallenge(String(reply.headers['www-authenticate'])).stale).toBe(false)
    }
  })

  test('an answer for another method or path is refused', async () => {
    const { baseUrl } = await serve()
    const challenge = await challengeOf(baseUrl + path)
    const target = new URL(baseUrl + path).pathname
    for (const asked of [
      { method: 'POST', target },
      { method: 'GET', target: `${target}x` },
    ]) {
      const authorization = answer(challenge, keys.ci, asked, 1)
      expect((await http('GET', baseUrl + path, { headers: { authorization } })).status).toBe(401)
    }
  })

  test('a full URL as the uri of an answer is accepted', async () => {
    const { baseUrl } = await serve()
    const challenge = await challengeOf(baseUrl + path)
    const authorization = answer(challenge, keys.ci, { method: 'GET', target: baseUrl + path }, 1)
    expect((await http('GET', baseUrl + path, { headers: { authorization } })).status).toBe(200)
  })

  test('qop is refused where it was not offered', async () => {
    const service = await serveWith({ 'open.digest': 'op' })
    const challenge = await challengeOf(service.baseUrl + path)
    expect((await sendAnswer(service, challenge, 1)).status).toBe(401)
    expect((await sendAnswer(service, challenge)).status).toBe(200)
  })

  test.each([
    'Basic Y2lhZG1pbjp4',
    'Digest',
    'Digest username="ciadmin"',
    'Digest username="a", username="b", realm="", nonce="", uri="/", response=""',
    `Digest ${'x'.repeat(5000)}`,
    'Digest username="ciadmin", realm="Public API", nonce="", uri="/", response="", qop=auth-int, nc=1, cnonce=""',
    'Digest username="ciadmin", realm="Public API", nonce="", uri="/", response="", algorithm=SHA-256',
    String.raw`Digest username="a\"b`,
  ])('%s is answered with a challenge', async (authorization) => {
    const { baseUrl } = await serve()
    const reply = await http('GET', baseUrl + path, { headers: { authorization } })
    expect(reply.status).toBe(401)
    expect(reply.headers['www-authenticate']).toMatch(/stale=false$/)
  })
})

describe('nonces', () => {
  test('a nonce goes stale after a minute, or open.nonceLifetime', async () => {
    for (const [lifetime, just, over] of [
      ['PT1M', 'PT59S', 'PT1S'],
      ['PT1H', 'PT59M59S', 'PT1S'],
    ] as const) {
      const service = await serveWith({ 'open.nonceLifetime': lifetime })
      await service.control('POST', '/clock', { now: '2030-01-01T00:00:00Z' })
      const challenge = await challengeOf(service.baseUrl + path)
      await service.control('POST', '/clock', { advance: just })
      expect((await sendAnswer(service, challenge, 1)).status).toBe(200)
      await service.control('POST', '/clock', { advance: over })
      expect(isStale(await sendAnswer(service, challenge, 2))).toBe(true)
    }
  })

  test('a nonce of an earlier run is stale, or not, by open.forgottenNonce', async () => {
    const earlier = await serve()
    const challenge = await challengeOf(earlier.baseUrl + path)
    expect(isStale(await sendAnswer(await serve(), challenge, 1))).toBe(true)
    const plain = await sendAnswer(await serveWith({ 'open.forgottenNonce': 'plain' }), challenge, 1)
    expect([plain.status, isStale(plain)]).toEqual([401, false])
  })

  test('10,000 replayed answers with qop are refused', async () => {
    const { baseUrl } = await serve()
    const challenge = await challengeOf(baseUrl + path)
    const target = new URL(baseUrl + path).pathname
    const answers = Array.from({ length: 50 }, (_, index) =>
      answer(challenge, keys.ci, { method: 'GET', target }, index + 1),
    )
    for (const authorization of answers)
      expect((await http('GET', baseUrl + path, { headers: { authorization } })).status).toBe(200)
    let accepted = 0
    for (let round = 0; round < 200; round += 1) {
      const replies = await Promise.all(
        answers.map(
          async (authorization) => await http('GET', baseUrl + path, { headers: { authorization } }),
        ),
      )
      accepted += replies.filter(({ status }) => status !== 401).length
    }
    expect(accepted).toBe(0)
  })

  test('50 parallel clients on one nonce are all let in, whatever the order of their counts', async () => {
    const service = await serve()
    const challenge = await challengeOf(service.baseUrl + path)
    const counts = Array.from({ length: 500 }, (_, index) => index + 1)
    const shuffled = counts.toSorted((left, right) => ((left * 7919) % 503) - ((right * 7919) % 503))
    for (let start = 0; start < shuffled.length; start += 50) {
      const batch = shuffled.slice(start, start + 50)
      const replies = await Promise.all(
        batch.map(async (count) => await sendAnswer(service, challenge, count)),
      )
      expect(replies.map(({ status }) => status)).toEqual(batch.map(() => 200))
    }
  })

  test('a count begins with 1', async () => {
    const service = await serve()
    const challenge = await challengeOf(service.baseUrl + path)
    expect((await sendAnswer(service, challenge, 0)).status).toBe(401)
    expect((await sendAnswer(service, challenge, 1)).status).toBe(200)
  })

  test('a count that is far behind is stale, and a jump ahead is none', async () => {
    const service = await serve()
    const challenge = await challengeOf(service.baseUrl + path)
    expect((await sendAnswer(service, challenge, 5000)).status).toBe(200)
    expect((await sendAnswer(service, challenge, 4000)).status).toBe(200)
    expect(isStale(await sendAnswer(service, challenge, 5000))).toBe(true)
    expect(isStale(await sendAnswer(service, challenge, 3000))).toBe(true)
    expect(isStale(await sendAnswer(service, challenge, 4000))).toBe(true)
  })
})

test('a missing role is 401 with a code of its own, or as two settings say', async () => {
  const usual = await (await serve()).as(keys.stranger)('GET', path)
  expect([usual.status, usual.body.errorCode]).toEqual([401, 'NOT_IN_GROUP'])
  expect(usual.headers['www-authenticate']).toMatch(/stale=false$/)
  const bare = await (await serveWith({ 'open.permissionChallenge': 'absent' })).as(keys.stranger)(
    'GET',
    path,
  )
  expect(bare.headers).not.toHaveProperty('www-authenticate')
  const forbidden = await (await serveWith({ 'open.permissionStatus': '403' })).as(keys.stranger)('GET', path)
  expect([forbidden.status, forbidden.body.errorCode]).toEqual([403, 'NOT_IN_GROUP'])
})
