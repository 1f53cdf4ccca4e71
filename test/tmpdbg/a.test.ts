import { it } from 'vitest'
import { readFile } from 'node:fs/promises'
import { begin, only } from '../support/one-kind.ts'
import { CI, PROJECT } from '../support/installation.ts'
import { inProcess } from '../crash/support/in-process.ts'
it('x', async () => {
  const here = inProcess(await begin())
  await here.manifest(only('maintenanceWindows', '  migration: { alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z, description: Storage migration }'))
  await here.control('POST', 'faults', { method: 'POST', path: '/maintenanceWindows', count: 1, fault: 'reset-before' })
  await here.run('apply', '--auto-approve')
  console.log(await readFile(here.folder + '/deploymgmt.state.journal', 'utf8'))
    await here.control('POST', 'clock', { advance: 'PT10M' })
    const made = { alertTypeNames: ['HOST'], startDate: '2035-01-01T00:00:00Z', endDate: '2035-01-02T00:00:00Z' }
    await here.outside('POST', `/groups/${PROJECT}/maintenanceWindows`, made, CI)
  console.log(await here.run('plan'))
  console.log(JSON.stringify((await here.requests()).log), (await here.control('GET','dump')).projects[0].events, (await here.control('GET','dump')).organizations[0].events)
})
