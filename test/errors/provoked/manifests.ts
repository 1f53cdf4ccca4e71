import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { manifestWith } from '../../support/installation.ts'
import { only } from '../../support/scene.ts'
import { APPLY, type Table } from '../support/provocation.ts'

const HOURS_OF_SUMMER =
  '  busy: { alertTypeNames: [HOST], schedule: { rrule: "FREQ=HOURLY;BYMINUTE=0;BYSECOND=0;BYMONTH=6,7", timezone: UTC, duration: PT1M, horizon: P60D } }'
const TWO_SELECTS = `  all: { select: { eventTypeName: HOST_DOWN }, enabled: true }
  down: { select: { eventTypeName: HOST_DOWN }, enabled: false }`

/** Manifests, and the files that they refer to. */
export const manifests: Table = {
  ManifestError: [
    {
      when: 'a role is misspelt',
      meet: async ({ manifest, run }) => {
        await manifest(manifestWith().replace('roles: [ORG_MEMBER]', 'roles: [ORG_MEMBR]'))
        return run('validate')
      },
      where:
        /^deploymgmt\.yaml:9:\d+ {2}apiKeys\.reporting\.roles\[0\]: "ORG_MEMBR" is not an organization role$/m,
      places: 'before',
    },
  ],
  AcceptedError: [
    {
      when: 'accepted drift has a key that none has',
      meet: async ({ folder, run }) => {
        const text = 'version: 1\naccepted:\n  - { address: a.b, is: gone-at-service, reson: moved }\n'
        await writeFile(join(folder, 'deploymgmt.accepted.yaml'), text)
        return run('drift')
      },
      where: /^deploymgmt\.accepted\.yaml:3:\d+ {2}accepted\[0\]\.reson: an accepted drift has no reson$/m,
      places: 'before',
    },
  ],
  DecisionsError: [
    {
      when: 'a list of decisions names an address of which nothing is unknown',
      meet: async ({ folder, run }) => {
        await writeFile(join(folder, 'decided.yaml'), '- address: users.dana\n  notCreated: true\n')
        return run('state', 'resolve', '--from', 'decided.yaml')
      },
      where: /^decided\.yaml:1:12 {2}\[0\]\.address: no request about users\.dana has an unknown outcome$/m,
      places: 'before',
    },
  ],
  ManifestNotFoundError: [
    {
      when: 'there is no manifest in the folder',
      meet: async ({ folder, run }) => {
        await rm(join(folder, 'deploymgmt.yaml'))
        return run('plan')
      },
      where: /deploymgmt\.yaml/,
    },
  ],
  ManifestUnsupportedError: [
    {
      when: 'what cdktf synth wrote is named beside a manifest',
      meet: async ({ folder, run }) => {
        await writeFile(join(folder, 'cdk.tf.json'), '{ "terraform": {}, "resource": {} }')
        return run('validate', '-f', 'cdk.tf.json', '-f', 'deploymgmt.yaml')
      },
      where: /^ {2}cdk\.tf\.json$/m,
    },
  ],
  VariableError: [
    {
      when: 'a variable is set that no manifest has',
      meet: ({ run }) => run('validate', '--var', 'country=Spain'),
      where: /"country"/,
    },
  ],
  SecretError: [
    {
      when: 'the environment has no password for a user who is created',
      meet: async ({ env, run }) => {
        delete env['DANA_INITIAL_PASSWORD']
        return run(...APPLY)
      },
      where: /users\.dana\.password/,
    },
    {
      when: 'the file of the password is not there',
      meet: async ({ manifest, run }) => {
        await manifest(manifestWith().replace('{ env: DANA_INITIAL_PASSWORD }', '{ file: nowhere.txt }'))
        return run(...APPLY)
      },
      where: /nowhere\.txt cannot be read\n {2}deploymgmt\.yaml:\d+:\d+$/m,
    },
  ],
  EntryRefusedError: [
    {
      when: 'a schedule has too many occurrences as soon as summer is near',
      meet: async ({ control, manifest, run }) => {
        await control('POST', 'clock', { now: '2035-06-01T00:00:00Z' })
        await manifest(only('maintenanceWindows', HOURS_OF_SUMMER))
        return run('plan')
      },
      where: /^ {2}deploymgmt\.yaml:9:\d+$/m,
    },
  ],
  SelectorConflictError: [
    {
      when: 'two selectors stand for one configuration and disagree',
      meet: async ({ manifest, run }) => {
        await manifest(only('alertConfigurations', TWO_SELECTS))
        return run('plan')
      },
      where: /deploymgmt\.yaml:9:\d+.*deploymgmt\.yaml:10:\d+/,
    },
  ],
}
