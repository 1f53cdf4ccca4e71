import { fixtureWith } from '../../support/installation.ts'
import { only } from '../../support/scene.ts'
import { foreign } from '../support/foreign.ts'
import { APPLY, READ, WINDOW, type Table } from '../support/provocation.ts'

const READING = (status: number): RegExp => new RegExp(`^ {2}GET http:\\S+ → ${status}$`, 'm')
const WRITING = (what: string, status: number): RegExp => new RegExp(`^ +${what} → ${status}$`, 'm')
const POSTING = String.raw`POST http:\S+/maintenanceWindows/`
const PATCHING = String.raw`PATCH http:\S+/alertConfigs/\w+`
const STRANGER = { publicKey: 'stranger', privateKey: '2b3c4d5e-canary-0006' }
const DANA = { username: 'dana@example.com', roles: [] }
const ALERTS = only(
  'alertConfigurations',
  '  noisy: { alertConfigId: 5d1113b25a115342acc2d1aa, enabled: false }',
)
/** What the service, or something in its place, refuses. */
export const answers: Table = {
  AuthRejectedError: [
    {
      when: 'the private key is another one',
      meet: async ({ env, run }) => {
        env['DEPLOYMGMT_PRIVATE_KEY'] = 'wrong-canary'
        return run(...READ)
      },
      where: READING(401),
    },
  ],
  AuthUnsupportedError: [
    {
      when: 'a login page answers in place of the service',
      meet: async (scene) => {
        await foreign(scene, (_, response) => {
          response.writeHead(401, { 'www-authenticate': 'Basic realm="proxy"' }).end()
        })
        return scene.run(...READ)
      },
      where: READING(401),
    },
    {
      when: 'the service rejects every nonce as stale, and the write is not done',
      meet: async ({ manifest, fault, run }) => {
        await manifest(WINDOW)
        await fault({ method: 'POST', fault: 'stale-nonce' })
        return run(...APPLY)
      },
      where: WRITING(POSTING, 401),
    },
  ],
  ForbiddenError: [
    {
      when: 'the key has no role in the project',
      install: {
        fixture: {
          ...fixtureWith(),
          organizations: [
            ...(fixtureWith() as { organizations: object[] }).organizations,
            { name: 'Other', apiKeys: [STRANGER] },
          ],
        },
      },
      meet: async ({ env, run }) => {
        env['DEPLOYMGMT_PUBLIC_KEY'] = STRANGER.publicKey
        env['DEPLOYMGMT_PRIVATE_KEY'] = STRANGER.privateKey
        return run(...READ)
      },
      where: READING(401),
    },
    {
      when: 'the key may read and not write',
      meet: async ({ manifest, fault, run }) => {
        await manifest(WINDOW)
        await fault({ method: 'POST', fault: 'status', status: 403 })
        return run(...APPLY)
      },
      where: WRITING(POSTING, 403),
    },
  ],
  NotFoundError: [
    {
      when: 'there is no project with this id',
      meet: ({ run }) => run('get', 'alert_configurations', '--project-id', 'f'.repeat(24)),
      where: READING(404),
    },
  ],
  ConflictError: [
    {
      when: 'what is to be changed is in another state than the service wants',
      meet: async ({ manifest, fault, run }) => {
        await manifest(ALERTS)
        await fault({ method: 'PATCH', fault: 'status', status: 409 })
        return run(...APPLY)
      },
      where: WRITING(PATCHING, 409),
    },
  ],
  AlreadyExistsError: [
    {
      when: 'a user of the name is there already',
      install: { fixture: { ...fixtureWith(), users: [DANA] } },
      meet: ({ run }) => run(...APPLY, '--target', 'users.dana'),
      where: WRITING(String.raw`POST http:\S+/users`, 409),
    },
  ],
  InvalidRequestError: [
    {
      when: 'the service does not take a value that may be one',
      meet: async ({ manifest, run }) => {
        await manifest(WINDOW.replace('[HOST]', '[HOSTS]'))
        return run(...APPLY)
      },
      where: WRITING(POSTING, 400),
    },
  ],
}
