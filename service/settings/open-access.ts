import { parseDuration } from '../time.ts'
import { choice } from './setting.ts'

/** What the API description leaves open about authentication, roles, errors and paging. */
export const openAccess = {
  'open.digest': choice(
    ['both', 'op', 'qop'],
    'What the challenge contains besides the nonce: `op="auth"`, `qop="auth"`, or both.',
  ),
  'open.nonceLifetime': {
    values: ['PT1M', 'DURATION'],
    accepts: (value: string) => (parseDuration(value) ?? 0) > 0,
    default: 'PT1M',
    meaning:
      'How long a nonce is accepted. After that, the answer is 401 with stale=true. Measured on the service clock.',
  },
  'open.forgottenNonce': choice(
    ['stale', 'plain'],
    'The reaction to a correct answer for a nonce of an earlier run: 401 with stale=true (`stale`) or with stale=false (`plain`).',
  ),
  'open.repeatedAnswer': choice(
    ['stale', 'accept'],
    'The reaction to a repeated answer to a challenge without qop, with the same nonce: 401 with stale=true, because without a count it may be a replay, and a client asks again (`stale`); or accepted until the nonce is too old (`accept`). With qop, a repeated count is always stale.',
  ),
  'open.permissionStatus': choice(['401', '403'], 'The status when the caller lacks a role.'),
  'open.permissionChallenge': choice(
    ['present', 'absent'],
    'Whether a 401 for a missing role carries a Digest challenge.',
  ),
  'open.impliedRoles': choice(
    ['owners', 'any', 'none'],
    'What satisfies a stated role: `owners` the role itself or an owner of the same scope (ORG_OWNER also for projects of the organization, GLOBAL_OWNER for all); `any` any role in the organization or project; `none` only the named role.',
    [19, 20, 21],
  ),
  'open.unstatedRoles': choice(
    ['owner', 'membership', 'none'],
    'What endpoints with no stated role require: `owner` an owner role for writes and any role for reads, `membership` any role in the organization or project, `none` nothing. Under the last two, a key that may only read can make itself an owner.',
    [1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 14, 15, 16, 17, 18],
  ),
  'open.accessListEnforced': choice(
    ['false', 'true'],
    'Whether a key or user that has an access list is refused (403 IP_ADDRESS_NOT_ON_ACCESS_LIST) from other addresses. Entries count requests either way.',
  ),
  'open.errorBody': choice(
    ['full', 'minimal', 'text', 'empty'],
    'The body of an error other than a challenge: `full` detail, error, errorCode, parameters and reason; `minimal` error and reason; `text` plain text; `empty` nothing.',
  ),
  'open.errorCodes': choice(
    ['listed', 'foreign'],
    'The values of errorCode: those known from this class of service, or others (the same with the prefix X_).',
  ),
  'open.validationStatus': choice(['400', '422'], 'The status of a request that is not valid.'),
  'open.errorEnvelope': choice(['plain', 'wrapped'], 'Whether envelope=true also wraps errors.'),
  'open.apiKeyNotFoundStatus': choice(['400', '404'], 'The status of API_KEY_NOT_FOUND.', [1, 2]),
  'open.rateLimit': {
    values: ['none', 'NUMBER'],
    accepts: (value: string) => /^[1-9]\d{0,8}$/.test(value),
    default: 'none',
    meaning:
      'How many requests a public key may make in a minute of the service clock; more are 429 RATE_LIMITED with Retry-After.',
  },
  'open.itemsPerPageOverMax': choice(
    ['clamp', 'reject'],
    'itemsPerPage above 500: read as 500, or 400 INVALID_QUERY_PARAMETER.',
  ),
  'open.listLinks': choice(
    ['paging', 'empty'],
    'The links of a list: self, previous and next, or an empty array.',
  ),
  'open.unknownQueryParameters': choice(
    ['ignore', 'reject'],
    'Query parameters that an endpoint does not have.',
  ),
} as const
