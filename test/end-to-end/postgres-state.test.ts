import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { after, before, expectRecovered, killAt } from '../crash/support/kill.ts'
import { type Installation, manifestWith, PROJECT } from '../support/installation.ts'
import { PG_PASSWORD, usePostgres } from '../support/postgres.ts'
import { windowsAt } from '../support/one-window.ts'
import { begin, only, writesIn } from '../support/scene.ts'
import { sharedBy } from '../support/site.ts'

const postgres = usePostgres()

const windows = (count: number): string =>
  only(
    'maintenanceWindows',
    Array.from(
      { length: count },
      (_, index) =>
        `  night-${index}: { projectId: ${PROJECT}, alertTypeNames: [HOST], startDate: 2035-01-0${index + 1}T02:00:00Z, endDate: 2035-01-0${index + 1}T04:00:00Z }`,
    ).join('\n'),
  )

let schemas = 0
/** A schema for the state with a role of its own, and the line of a manifest that names it. */
const place = async (here: Installation) => {
  schemas += 1
  const [server, schema] = [postgres(), `team_${schemas}`]
  await server.ask(`CREATE ROLE ${schema} LOGIN PASSWORD '${PG_PASSWORD}'`)
  await server.ask(`CREATE SCHEMA ${schema} AUTHORIZATION ${schema}`)
  Object.assign(here.env, { PGUSER: schema, PGPASSWORD: PG_PASSWORD })
  const address = `postgres://${server.authority}?schema=${schema}`
  return { server, schema, address, line: `state: ${address}\n` }
}

const windowsMade = async (here: Installation): Promise<number> => (await windowsAt(here)).length

it('a state in Postgres is begun, planned from, applied to and looked at from two machines', async () => {
  const here = await begin()
  const { server, schema, address, line } = await place(here)
  const site = await sharedBy(here, `${windows(3)}${line}`)
  const [one, two] = [await site.runner(), await site.runner()]
  const refused = await one.run('plan')
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-STATE-MISSING') })
  expect(refused.stderr).toContain('deploymgmt state init')
  const said = [
    refused,
    await one.run('state', 'init'),
    await two.run('apply', '--auto-approve'),
    await one.run('plan', '--detailed-exitcode'),
    await one.run('drift'),
    await two.run('state', 'list', '--format', 'json'),
    await one.run('state', 'mv', 'maintenanceWindows.night-0', 'maintenanceWindows.day'),
    await two.run('state', 'show', 'maintenanceWindows.day'),
    await two.run('state', 'pull'),
  ]
  expect(said.map(({ code }) => code)).toStrictEqual([1, 0, 0, 0, 0, 0, 0, 0, 0])
  expect(said[1]?.stderr).toContain(`${address}#test`)
  expect(JSON.parse(said[5]?.stdout ?? '')).toHaveLength(3)
  expect(await windowsMade(here)).toBe(3)
  const kept = await server.ask(`SELECT * FROM ${schema}.states, ${schema}.journal`)
  expect(JSON.stringify([said, kept])).not.toContain('canary')
})

it.each([
  ['before the service has it', before],
  ['after the service has committed it', after],
])(
  'the next runner recovers from one that was killed at a write, %s, and lost with its disk',
  async (_, fate) => {
    const here = await begin({ proxied: true })
    const { line } = await place(here)
    const site = await sharedBy(here, `${manifestWith()}${line}`)
    const [lost, next] = [await site.runner(), await site.runner()]
    await lost.run('state', 'init')
    await killAt({ ...here, folder: lost.folder }, ({ write }) => write === 5, fate)
    await rm(lost.folder, { recursive: true })
    const { document } = await next.json('state', 'list')
    expect(document.filter(({ status }: any) => status === 'unknown')).toHaveLength(1)
    await expectRecovered(next)
  },
)

it('a role that may only read plans and looks at drift, and cannot apply', async () => {
  const here = await begin()
  const { server, schema, line } = await place(here)
  await here.manifest(`${windows(1)}${line}`)
  await rm(join(here.folder, 'deploymgmt.state.json'))
  await here.run('state', 'init')
  await here.run('apply', '--auto-approve')
  const reader = `${schema}_reader`
  await server.ask(`CREATE ROLE ${reader} LOGIN PASSWORD '${PG_PASSWORD}';
    GRANT USAGE ON SCHEMA ${schema} TO ${reader}; GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${reader}`)
  here.env['PGUSER'] = reader
  expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  expect(await here.run('drift')).toMatchObject({ code: 0 })
  const refused = await here.run('apply', '--auto-approve')
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-STATE-WRITE') })
  expect(refused.stderr).toContain('permission denied for table states')
})

it('a state in a file moves to Postgres, and what an apply could not record there is brought home', async () => {
  const here = await begin({ proxied: true })
  const { server, schema, address, line } = await place(here)
  await here.manifest(`${windows(1)}${line}`)
  const copied = await here.run('state', 'copy', '--from', 'deploymgmt.state.json', '--to', address)
  expect(copied).toMatchObject({ code: 0, stderr: expect.stringContaining(`now at ${address}#test`) })
  here.proxy.steer(async ({ write }, forward) => {
    if (write > 0) await server.ask(`REVOKE INSERT ON ${schema}.journal FROM ${schema}`)
    return forward()
  })
  const ran = await here.run('apply', '--auto-approve')
  expect(ran).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('permission denied for table journal'),
  })
  const [name = ''] = (await readdir(here.folder)).filter((each) => each.startsWith('deploymgmt.rescue.'))
  expect(ran.stderr).toContain(`deploymgmt state push ${join(here.folder, name)}`)
  await server.ask(`GRANT INSERT ON ${schema}.journal TO ${schema}`)
  expect(await here.run('apply', '--auto-approve')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('DM-STATE-LOCKED'),
  })
  expect(await here.run('state', 'push', name)).toMatchObject({ code: 0 })
  expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  expect(await writesIn(here)).toHaveLength(1)
  expect(JSON.stringify([copied, ran])).not.toContain(PG_PASSWORD)
})
