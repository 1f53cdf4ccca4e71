import { fillPath, camelToKebab, type DataSourceDefinition } from '@deploymgmt/provider/core'
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

/** What is there, by the name of the argument; some data sources mean another thing by one. */
const values: Readonly<Record<string, unknown>> = {
  ...there,
  type: 'BACKUP',
  accessListEntry: '203.0.113.5',
  eventId: there.organizationEventId,
}
const others: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  global_alert: { alertId: there.globalAlertId },
  project_event: { eventId: there.projectEventId },
}

const placesOf = ({ name, arguments: all }: DataSourceDefinition): Record<string, string> => {
  const named = Object.keys(all).filter((argument) => all[argument]?.part === 'name')
  return Object.fromEntries(
    named.map((argument) => [argument, String({ ...values, ...others[name] }[argument])]),
  )
}

/** What a `get` prints is the matter of test/end-to-end/get.test.ts. */
describe.each(dataSources.map((source) => ({ name: source.name, source })))(
  'the data source $name',
  ({ name, source }) => {
    it(`is read once, by GET ${source.operation.path}, endpoint ${source.operation.endpoint}`, async () => {
      const places = placesOf(source)
      const words = Object.entries(places).flatMap(([argument, value]) => [
        `--${camelToKebab(argument)}`,
        value,
      ])
      // Endpoint 13 answers to the user alone.
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
