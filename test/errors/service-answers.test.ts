import { errorCodes } from '@deploymgmt/service'
import { describe, expect, it } from 'vitest'
import { newUser } from '../service/support/endpoints.ts'
import { keys } from '../service/support/fixture.ts'
import { serve } from '../service/support/service.ts'
import { callers } from './service/callers.ts'
import { failures } from './service/failures.ts'
import type { Refusals } from './service/refusal.ts'
import { requests } from './service/requests.ts'
import { things } from './service/things.ts'

const TABLES: readonly Refusals[] = [requests, callers, things, failures]
const REFUSED: Refusals = Object.assign({}, ...TABLES)
const SECRETS = [newUser.password, ...Object.values(keys).map(({ privateKey }) => privateKey)]

describe('the error answers of the service', () => {
  it.each(errorCodes)(
    '%s is answered over HTTP, in the form of every error and without a secret',
    async (code) => {
      const refusal = REFUSED[code]
      if (refusal === undefined) throw new Error(`no request is answered with ${code}`)
      const { status, body, text } = await refusal.ask(await serve(refusal.options))
      expect([status, body]).toEqual([
        refusal.status,
        {
          detail: expect.stringMatching(/^\S.*\.$/),
          error: refusal.status,
          errorCode: code,
          parameters: expect.any(Array),
          reason: expect.stringMatching(/^[A-Z]/),
        },
      ])
      for (const secret of SECRETS) expect(text).not.toContain(secret)
    },
  )

  it('are those of the list, each once', () => {
    const asked = TABLES.flatMap((table) => Object.keys(table))
    expect(asked.toSorted()).toEqual([...errorCodes].toSorted())
  })
})
