import { startService } from '@deploymgmt/service'
import { fixture } from './fixture.ts'

// A process of its own, to be killed: `node serve-child.ts DATA` prints where it listens.
const service = await startService({ data: process.argv[2] ?? '', fixture, control: true })
process.stdout.write(`${JSON.stringify(service)}\n`)
