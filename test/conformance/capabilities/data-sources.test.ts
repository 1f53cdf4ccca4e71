import { camelToKebab, fillPath } from '@deploymgmt/provider/core'
import { dataSources } from '@deploymgmt/provider/data-sources'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runHere } from '../../support/command.ts'
import { install, type Installation } from '../../support/installation.ts'
import * as there from '../../provider/data-sources/support/installation.ts'

let here: Installation
beforeAll(async () => {
  here = await install({ fixture: there.installation })
})
afterAll(() => here.close())

/** What `get` prints is tested in test/end-to-end/get.test.ts. */
describe.each(dataSources.map((source) => ({ name: source.name, source })))(
  'the data source $name',
  ({ name, source }) => {
    it(`is read once, by GET ${source.operation.path}, endpoint ${source.operation.endpoint}`, async () => {
      const places = there.placesOf(source)
      const words = Object.entries(places).flatMap(([argument, value]) => [
        `--${camelToKebab(argument)}`,
        value,
      ])
      // Endpoint 13 answers only the user's own key.
      const key = name === 'user_access_list_entry' ? there.personalKey : there.organizationKey
      const env = {
        ...here.env,
        DEPLOYMGMT_PUBLIC_KEY: key.publicKey,
        DEPLOYMGMT_PRIVATE_KEY: key.privateKey,
      }
      const limit = source.shape === 'list' ? ['--limit', '3'] : []
      await here.forgetRequests()
      const ran = await runHere({ folder: here.folder, env }, [
        'get',
        name,
        ...words,
        ...limit,
        '--format',
        'json',
      ])
      expect(ran).toMatchObject({ code: 0, stderr: '' })
      const { log } = await here.requests()
      const answered = log.filter(({ status }) => status !== 401)
      expect(answered.map(({ method, path, status }) => [method, path.replace(/\?.*$/, ''), status])).toEqual(
        [['GET', fillPath(source.operation.path, places), 200]],
      )
    })
  },
)
