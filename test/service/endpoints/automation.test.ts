import { expect, test } from 'vitest'
import { ids } from '../support/fixture.ts'
import { serve, serveWith } from '../support/service.ts'

test('endpoint 8 answers the goal version and the processes, with no error as 0 and empty texts', async () => {
  const { call } = await serve()
  const { body } = await call('GET', `/groups/${ids.project}/automationStatus`)
  expect(body).toEqual({
    goalVersion: 29,
    processes: [
      {
        name: 'db1',
        hostname: 'localhost',
        lastGoalVersionAchieved: 28,
        plan: ['Download'],
        errorCode: 0,
        errorCodeDescription: '',
        errorCodeHumanReadable: '',
        errorString: '',
      },
    ],
  })
})

test('endpoint 12 shows pings of monitoring agents, isManaged of two types, tags of backup agents', async () => {
  const { call } = await serve()
  const fields = async (type: string) => {
    const { results } = (await call('GET', `/groups/${ids.project}/agents/${type}`)).body
    expect(results).toHaveLength(1)
    expect(results[0]).toMatchObject({ typeName: type, stateName: 'ACTIVE', hostname: 'db1.example.com' })
    return ['pingCount', 'lastPing', 'isManaged', 'tag'].filter((name) => name in results[0])
  }
  expect(await fields('MONITORING')).toEqual(['pingCount', 'lastPing', 'isManaged'])
  expect(await fields('BACKUP')).toEqual(['isManaged', 'tag'])
  expect(await fields('AUTOMATION')).toEqual([])
})

test('endpoint 12 refuses a type that is none', async () => {
  const { call } = await serve()
  for (const type of ['monitoring', 'OTHER']) {
    const { status, body } = await call('GET', `/groups/${ids.project}/agents/${type}`)
    expect([status, body.errorCode]).toEqual([400, 'INVALID_AGENT_TYPE_NAME'])
  }
})

test('endpoint 16 lists the partitions of a host, with the links of open.sampleLinks', async () => {
  const path = `/groups/${ids.project}/hosts/${ids.host}/disks`
  const { body } = await (await serve()).call('GET', path)
  expect(body.results).toEqual([
    { partitionName: 'xvda', links: [] },
    { partitionName: 'xvdb', links: [] },
  ])
  const linked = await (await serveWith({ 'open.sampleLinks': 'self' })).call('GET', path)
  expect(linked.body.results[0].links).toMatchObject([{ rel: 'self' }])
})
