import { settings } from '@deploymgmt/service'
import { expect, it } from 'vitest'
import {
  fixtureWith,
  manifestWith,
  ONCALL,
  ORG,
  PASSWORD,
  PROJECT,
  type Installation,
} from '../support/installation.ts'
import { ONCALL_ID } from '../support/people.ts'
import { begin } from '../support/scene.ts'

/**
 * Values for settings that have a format instead of a list of values. Any rate limit would end the command, so there is
 * none.
 */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  'open.nonceLifetime': ['PT10S'],
  'open.eventDelay': ['PT3S', 'PT10M'],
  'open.rateLimit': [],
}
const readings = settings
  .filter(({ name }) => name.startsWith('open.'))
  .flatMap(({ name, values, default: usual }) =>
    (FORMS[name] ?? values.filter((value) => value !== usual)).map((value) => [name, value] as const),
  )

// With some settings, only holders of certain roles may read events or write.
const OWNER = ['ORG_OWNER', 'ORG_MEMBER'].map((roleName) => ({ roleName, orgId: ORG }))
const PROJECT_OWNER = { roleName: 'GROUP_OWNER', groupId: PROJECT }

const fixture = (): object => {
  const { organizations, ...rest } = fixtureWith() as { organizations: { apiKeys: any[] }[] }
  const withRoles = organizations.map((each) => ({
    ...each,
    apiKeys: each.apiKeys.map((key) =>
      key.publicKey === 'reporter' ? key : { ...key, roles: [...OWNER, PROJECT_OWNER] },
    ),
  }))
  return { ...rest, organizations: withRoles }
}

const WINDOW = {
  alertTypeNames: ['HOST'],
  startDate: '2035-01-01T00:00:00Z',
  endDate: '2036-01-01T00:00:00Z',
}
const EVE = {
  username: 'eve@example.com',
  emailAddress: 'eve@example.com',
  firstName: 'Eve',
  lastName: 'Other',
  mobileNumber: '2125550199',
  password: PASSWORD,
  roles: OWNER.slice(0, 1),
}

const strangers = async (here: Installation): Promise<string[]> => {
  const { id } = await here.outside('POST', `/groups/${PROJECT}/maintenanceWindows/`, WINDOW)
  await here.outside('POST', '/users', EVE)
  await here.outside('PATCH', `/orgs/${ORG}/apiKeys/${ONCALL_ID}`, { roles: ['ORG_OWNER', 'ORG_MEMBER'] })
  return [id, EVE.username, ONCALL.publicKey]
}

it.each(readings)(
  'where %s is %s, what strangers made is found or said not to be seen, and nothing of ours is named',
  async (name, value) => {
    const here = await begin({ fixture: fixture(), settings: { [name]: value }, manifest: manifestWith() })
    const applied = await here.run('apply', '--auto-approve')
    const made = await strangers(here)
    await here.control('POST', 'clock', { advance: 'PT25M' })
    const { document, stderr } = await here.json('drift')
    expect({ document: document !== undefined, applied, stderr }).toMatchObject({ document: true })
    const found: string[] = document.unmanaged
      .filter(({ seenIn }: any) => seenIn === 'events')
      .map(({ identity }: any) => Object.values(identity).at(-1))
    expect(made).toEqual(expect.arrayContaining(found))
    const isSaid = document.warnings.some((text: string) => /^organization \w+: |^events name /.test(text))
    expect({ found: found.length, isSaid }).toEqual(
      found.length === made.length ? { found: made.length, isSaid } : { found: found.length, isSaid: true },
    )
  },
)
