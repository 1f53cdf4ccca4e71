import { lines, loadFiles, refusal } from '../support/manifests.ts'

type Options = Parameters<typeof loadFiles>[1]

export const ORG = '5980cfdf0b6d97029d82f86e'
export const PROJECT = '5c8100bcf2a30b12ff88258f'

const metadata = { metadata: { backend: 'local', stackName: 'acme-production', version: '0.21.0' } }
const terraform = {
  backend: { local: { path: 'terraform.tfstate' } },
  required_providers: { deploymgmt: { source: 'deploymgmt/deploymgmt', version: '0.1.0' } },
}

/** A configuration as `cdktf synth` writes one; a part that is `undefined` is left out. */
export const stackWith = (parts: object = {}): string =>
  JSON.stringify(
    { '//': metadata, provider: { deploymgmt: [{ org_id: ORG }] }, terraform, ...parts },
    null,
    2,
  )

/** The metadata that `cdktf synth` adds about the construct of a resource. */
export const madeBy = (path: string): object => ({ '//': { metadata: { path, uniqueId: path } } })

export const loadStack = (parts: object = {}, options: Options = {}) =>
  loadFiles({ 'cdk.tf.json': stackWith(parts) }, options)

/** The findings of a refused stack, without positions. */
export const refusalsOf = async (parts: object, options: Options = {}): Promise<string[]> =>
  lines((await refusal(loadStack(parts, options))).findings).map((line) => line.replace(/^\d+:\d+ /, ''))

export const WINDOW = {
  project_id: PROJECT,
  alert_type_names: ['HOST'],
  start_date: '2035-01-06T02:00:00Z',
  end_date: '2035-01-06T04:00:00Z',
}

export const USER = {
  username: 'dana@example.com',
  email_address: 'dana@example.com',
  first_name: 'Dana',
  last_name: 'Reyes',
  mobile_number: '2125550198',
  password: '${var.dana_password}',
  roles: [
    { role_name: 'ORG_MEMBER', org_id: ORG },
    { role_name: 'GROUP_READ_ONLY', project_id: PROJECT },
  ],
}

export const PASSWORD_VARIABLE = { dana_password: { type: 'string', sensitive: true } }

export const windowOf = (more: object = {}): object => ({
  resource: { deploymgmt_maintenance_window: { w: { ...WINDOW, ...more } } },
})
