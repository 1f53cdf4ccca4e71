import {
  AlreadyExistsError,
  AuthRejectedError,
  BaseUrlError,
  ConflictError,
  CredentialsError,
  EntryRefusedError,
  ForbiddenError,
  InsecureUrlError,
  NotFoundError,
  RateLimitedError,
  TlsError,
  type RequestFacts,
} from '@deploymgmt/provider/errors'
import { describe, expect, it } from 'vitest'
import { missingArgument } from '../../provider/terraform/calls/data-sources.ts'
import { failed } from '../../provider/terraform/words/failures.ts'

const PATH = '/groups/5c81/alerts/5d1f'
const facts: RequestFacts = {
  method: 'GET',
  url: `https://deploymgmt.example.com/api/public/v1.0${PATH}`,
  path: PATH,
  status: 404,
  outcome: 'refused',
}

describe('a failure in Terraform', () => {
  it.each([
    ['a conflict', new ConflictError('it contradicts', facts)],
    ['a refused entry', new EntryRefusedError('deploymgmt_window', 'too many occurrences', undefined)],
    ['a missing permission', new ForbiddenError('not permitted', facts)],
    ['a refused reading', new ForbiddenError('not permitted', { ...facts, keyNeeds: 'the role ORG_OWNER' })],
    ['plain http', new InsecureUrlError('"http://192.0.2.1" is plain http')],
    ['plain http, with advice of the command', new InsecureUrlError('x', { hint: 'Or give --allow-http.' })],
    ['too many requests', new RateLimitedError('fewer requests', facts)],
    ['no TLS', new TlsError('it does not speak TLS', facts, 'not-spoken')],
    [
      'what exists already',
      new AlreadyExistsError('deploymgmt_user', {
        where: undefined,
        hint: 'Declare userId in the manifest.',
        advice: 'To adopt it, set {.userId} and {rolesComplete: true}.',
      }),
    ],
  ])('for %s speaks of no flag, manifest or entry', (_, error) => {
    expect(failed(error).detail).not.toMatch(/--\w|manifest|\bentry\b|[dD]eclar/)
    expect(failed(error).detail).toMatch(/\.$/)
  })

  it.each([
    [
      new AuthRejectedError('refused', facts),
      'Check public_key (or DEPLOYMGMT_PUBLIC_KEY) and private_key (or',
    ],
    [new BaseUrlError('"x" is no URL'), 'Set base_url (or DEPLOYMGMT_BASE_URL), for example'],
    [new CredentialsError('x is not set'), 'or DEPLOYMGMT_PRIVATE_KEY) or DEPLOYMGMT_PRIVATE_KEY_FILE.'],
  ])('names the attributes of the provider beside the variables: %s', (error, step) => {
    expect(failed(error).detail).toContain(step)
  })

  it('tells what a reading needs of the key', () => {
    const refused = new ForbiddenError('not permitted', { ...facts, keyNeeds: 'the role ORG_OWNER' })
    expect(failed(refused).detail).toContain('The key needs the role ORG_OWNER.')
  })
})

describe('what a data source does not find', () => {
  const given = { values: { projectId: '5c81', alertId: '5d1f' }, unknown: new Set<string>() }

  it('is said at the argument that the service names', () => {
    const error = new NotFoundError('there is no 5d1f here', { ...facts, parameters: ['5c81'] })
    expect(missingArgument(error, given)).toBe('projectId')
  })

  it('is said at the last argument of the path where the service names none', () => {
    expect(missingArgument(new NotFoundError('5c81 is not there', facts), given)).toBe('alertId')
  })
})
