import { randomUUID } from 'node:crypto'
import { type Files, nodeFiles } from './files.ts'
import { type Host, thisHost } from './host.ts'

/** Everything that this room takes from outside; a test replaces what it wants to steer. */
export interface Surroundings {
  files: Files
  host: Host
  now: () => Date
  uuid: () => string
}

/** Fills what is not given with the real file system, machine, clock and randomness. */
export const surroundings = (given: Partial<Surroundings> = {}): Surroundings => ({
  files: nodeFiles,
  host: thisHost,
  now: () => new Date(),
  uuid: randomUUID,
  ...given,
})
