import { CI, ONCALL, ORG, PASSWORD, PROJECT, type Key } from '../support/installation.ts'
import { LEDGER, PAT, REPORTER, SAM } from '../support/people.ts'
import type { Act, Actor } from './known/acts.ts'

export { CI, LEDGER, ORG, PASSWORD, PAT, PROJECT, REPORTER }

/** The key of the runs. */
export const CALLER = '5c47503320eef5699e1cce8d'

export const CONFIGS = [
  '5d1113b25a115342acc2d0f3',
  '5d1113b25a115342acc2d1aa',
  '5d1113b25a115342acc2d1ab',
] as const
/** Nobody ever declares this one. */
export const BYSTANDER = '5d1113b25a115342acc2d1ff'

/** The runs use it once their first key is replaced. */
export const NEXT: Key = { publicKey: 'cinext', privateKey: '6f0a2b7c-canary-0011' }

const SAMS: Key = { publicKey: 'sampersonal', privateKey: '3b7e5f11-canary-0009' }

/** The keys of the others. */
export const KEYS: Readonly<Record<Exclude<Actor, 'run' | 'twin'>, Key>> = { oncall: ONCALL, sam: SAMS }

/** How a report names whoever wrote: a key, or the person whose own key it is. */
export const namedIn = ({ by, key }: Pick<Act, 'by' | 'key'>): object =>
  by === 'sam' ? { username: 'sam@example.com' } : { publicKey: key }

// Under some readings, only those may read events who have the named role itself.
const OWNER = [
  { roleName: 'ORG_OWNER', orgId: ORG },
  { roleName: 'ORG_MEMBER', orgId: ORG },
]

export const TYPES = ['HOST_DOWN', 'HOST_DOWN', 'REPLICA_SET']

const MADE = ['2029-03-01T00:00:00Z', '2029-09-01T00:00:00Z', '2029-09-01T00:00:00Z']
/** A selector with this bound stands for the first configuration alone. */
export const BOUND = '2029-06-01T00:00:00Z'

export const fixture = (): object => ({
  organizations: [
    {
      id: ORG,
      name: 'Acme',
      apiKeys: [
        { id: CALLER, desc: 'CI', ...CI, roles: OWNER },
        { id: '5c47503320eef5699e1cce8c', desc: 'CI, next', ...NEXT, roles: OWNER },
        { id: '5c47503320eef5699e1cce8e', desc: 'On call', ...ONCALL, roles: OWNER },
        {
          id: REPORTER,
          desc: 'old',
          publicKey: 'reporter',
          privateKey: '7a6b5c4d-canary-0003',
          roles: [{ roleName: 'ORG_READ_ONLY', orgId: ORG }],
        },
      ],
    },
  ],
  projects: [
    {
      id: PROJECT,
      orgId: ORG,
      name: 'payments',
      alertConfigs: [
        ...CONFIGS.map((id, index) => ({
          id,
          eventTypeName: TYPES[index],
          created: MADE[index],
          enabled: true,
        })),
        { id: BYSTANDER, eventTypeName: 'CLUSTER', enabled: true },
      ],
      integrations: [
        { type: 'PAGING', serviceKey: '0123456789abcdef-canary-0004' },
        { type: 'CHAT_A', apiToken: 'chat-canary-0005', teamName: 'payments', channelName: 'alerts' },
      ],
    },
    {
      id: LEDGER,
      orgId: ORG,
      name: 'ledger',
      integrations: [
        { type: 'PAGING', serviceKey: '0123456789abcdef-canary-0006' },
        { type: 'WEBHOOK', url: 'https://hooks.example.com/canary-0007' },
      ],
    },
  ],
  users: [
    { id: SAM, username: 'sam@example.com', roles: OWNER, apiKeys: [SAMS] },
    { id: PAT, username: 'pat@example.com', roles: [{ roleName: 'ORG_MEMBER', orgId: ORG }] },
  ],
})
