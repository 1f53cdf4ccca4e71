import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseChallenges } from '../../../provider/api/challenge.ts'
import { authorization, chooseChallenge, type DigestChallenge } from '../../../provider/api/digest.ts'

const challengeOf = (header: string): DigestChallenge => {
  const chosen = chooseChallenge(header)
  if ('unsupported' in chosen) throw new Error(chosen.unsupported)
  return chosen
}

const mufasa = { username: 'Mufasa', method: 'GET', uri: '/dir/index.html', count: 1 }

describe('the answer to a challenge', () => {
  it('is the one of the example in RFC 2617', () => {
    const challenge = challengeOf(
      'Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"',
    )
    const header = authorization(challenge, { ...mufasa, password: 'Circle Of Life', cnonce: '0a4f113b' })
    expect(header).toContain('response="6629fae49393a05397450978507c4ef1"')
    expect(header).toContain('nc=00000001')
  })

  it('is the one of the example in RFC 2069, as corrected, without count and client nonce', () => {
    const challenge = challengeOf(
      'Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"',
    )
    const header = authorization(challenge, { ...mufasa, password: 'CircleOfLife', cnonce: 'unused' })
    expect(header).toContain('response="1949323746fe6a43ef61f9606e7febea"')
    expect(header).not.toMatch(/nc=|qop|cnonce|algorithm/u)
  })

  it('is the one of the example in RFC 7616', () => {
    const rest =
      'realm="http-auth@example.org", qop="auth, auth-int", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"'
    const cnonce = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ'
    const answer = (algorithm: string): string =>
      authorization(challengeOf(`Digest ${rest}, algorithm=${algorithm}`), {
        ...mufasa,
        password: 'Circle of Life',
        cnonce,
      })
    expect(answer('MD5')).toContain('response="8ca523f5e9506fed4657c9700eebdbec"')
    expect(answer('SHA-256')).toContain(
      'response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"',
    )
    expect(answer('SHA-256')).toContain('algorithm=SHA-256')
  })
})

describe('a WWW-Authenticate header', () => {
  it('is read with quotes, escapes, commas and unknown parameters', () => {
    const [challenge] = parseChallenges('digest Realm = "a, \\"b\\"" ,nonce=n,, x="", STALE=TRUE')
    expect(challenge?.scheme).toBe('digest')
    expect(Object.fromEntries(challenge?.parameters ?? [])).toEqual({
      realm: 'a, "b"',
      nonce: 'n',
      x: '',
      stale: 'TRUE',
    })
  })

  it('is read as several challenges', () => {
    const header = 'Negotiate YWJj==, NTLM, Digest realm="r", nonce="n", Basic realm="Digest x=y"'
    expect(parseChallenges(header).map((challenge) => challenge.scheme)).toEqual([
      'negotiate',
      'ntlm',
      'digest',
      'basic',
    ])
  })

  it('with two Digest challenges gives the first that can be answered', () => {
    const header =
      'Digest realm="r", nonce="1", algorithm=SHA-512-256, Digest realm="r", nonce="2", algorithm=SHA-256, Digest realm="r", nonce="3"'
    expect(challengeOf(header).nonce).toBe('2')
  })

  it('with op in the place of qop is answered in the form without qop', () => {
    expect(challengeOf('Digest realm="r", nonce="n", op="auth", stale=false')).toMatchObject({
      qop: false,
      stale: false,
    })
  })

  it('never makes the reader fail or loop', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', '\\', ',', '=', ' ', 'a', 'Digest ', 'nonce="', 'é') }),
        (header) => {
          expect(() => chooseChallenge(header)).not.toThrow()
        },
      ),
    )
  })
})
