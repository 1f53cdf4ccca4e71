import { startService } from '@deploymgmt/service'
import { fixture } from './fixture.ts'

// A separate process that tests can kill: `node serve-child.ts DATA` prints the address of the service.
const service = await startService({ data: process.argv[2] ?? '', fixture, control: true })
process.stdout.write(`${JSON.stringify(service)}\n`)
