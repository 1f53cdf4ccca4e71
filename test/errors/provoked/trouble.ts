import { fixtureWith } from '../../support/installation.ts'
import { timeLapse } from '../support/processes.ts'
import { APPLY, READ, WINDOW, type Provocation, type Table } from '../support/provocation.ts'

const READING = (status: number): RegExp => new RegExp(`^ {2}GET http:\\S+ → ${status}$`, 'm')
const WRITING = (status: number): RegExp =>
  new RegExp(String.raw`^ +POST \S+/maintenanceWindows/ → ${status}$`, 'm')
const many = (count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({
    id: index.toString(16).padStart(24, '5d0000000000000000000000'),
    eventTypeName: 'HOST_DOWN',
  }))

const spoiltRead = (fault: string): Provocation => ({
  when: `an answer to a read is spoilt on its way (${fault})`,
  meet: async (scene) => {
    await scene.fault({ method: 'GET', fault })
    return scene.run(...READ)
  },
  where: READING(200),
})
const spoiltWrite = (fault: string): Provocation => ({
  when: `an answer to a write is spoilt on its way, and nobody knows what became of it (${fault})`,
  meet: async (scene) => {
    await scene.manifest(WINDOW)
    await scene.fault({ method: 'POST', fault })
    return scene.run(...APPLY)
  },
  where: WRITING(200),
  exit: 3,
})

/** A service that is overloaded, fails, or sends wrong answers. */
export const trouble: Table = {
  RateLimitedError: [
    {
      when: 'the service asks for fewer reads until the time is up',
      meet: async (scene) => {
        await scene.fault({ method: 'GET', fault: 'status', status: 429 })
        return timeLapse(scene, READ)
      },
      where: READING(429),
    },
    {
      when: 'the service asks for fewer writes and names no time',
      meet: async ({ manifest, fault, run }) => {
        await manifest(WINDOW)
        await fault({ method: 'POST', fault: 'status', status: 429 })
        return run(...APPLY)
      },
      where: WRITING(429),
    },
  ],
  ServiceFailureError: [
    {
      when: 'reads fail until the time is up',
      meet: async (scene) => {
        await scene.fault({ method: 'GET', fault: 'status', status: 503 })
        return timeLapse(scene, READ)
      },
      where: READING(503),
    },
    {
      when: 'a write fails, and nobody knows how far it came',
      meet: async ({ manifest, fault, run }) => {
        await manifest(WINDOW)
        await fault({ method: 'POST', fault: 'status', status: 500 })
        return run(...APPLY)
      },
      where: WRITING(500),
      exit: 3,
    },
  ],
  MalformedAnswerError: [
    ...['truncate', 'malformed', 'wrong-type'].map(spoiltRead),
    ...['truncate', 'malformed', 'wrong-type', 'duplicate-keys'].map(spoiltWrite),
  ],
  AnswerTooLargeError: [
    {
      when: 'the answer is larger than 32 MB',
      meet: async ({ fault, run }) => {
        await fault({ method: 'GET', fault: 'huge' })
        return run(...READ)
      },
      where: READING(200),
    },
  ],
  ListUnstableError: [
    {
      when: 'a list changes between its pages every time it is read',
      install: { fixture: fixtureWith({ alertConfigs: many(501) }) },
      meet: async ({ fault, run }) => {
        await fault({ method: 'GET', path: '/alertConfigs$', fault: 'shift-pages' })
        return run(...READ)
      },
      where: READING(200),
    },
  ],
}
