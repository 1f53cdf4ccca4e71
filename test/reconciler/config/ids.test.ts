import { expect, test } from 'vitest'
import { allLines, HEAD, loadText, refusedLines } from './support/manifests.ts'

const keyOf = (id: string): string => `${HEAD}apiKeys:\n  k: { apiKeyId: ${id}, desc: a }\n`

test.each([
  ['5c47503320eef5699e1cce8f', '5c47503320eef5699e1cce8f'],
  ['598012345678901234567890', '598012345678901234567890'],
  ['059801234567890123456789', '059801234567890123456789'],
  ['5980123456789012345678e1', '5980123456789012345678e1'],
])('the id %s is taken as it is written, whatever number YAML reads in it', async (id, value) => {
  const { declaration, warnings } = await loadText(keyOf(id))
  expect(declaration.entries[0]?.values['apiKeyId']).toBe(value)
  expect(warnings).toEqual([])
})

test.each([
  '5C47503320EEF5699E1CCE8F',
  '"5C47503320EEF5699E1CCE8F"',
  '${var.id}',
  '5980123456789012345678E1',
])(
  'the id %s in capitals is the same as in small letters, which are those of the service',
  async (written) => {
    const variables = 'variables: { id: { default: 5C47503320EEF5699E1CCE8F } }\n'
    const { declaration, warnings } = await loadText(
      `${keyOf(written.includes('var') ? `"${written}"` : written)}${written.includes('var') ? variables : ''}`,
    )
    const id = written.startsWith('598') ? '5980123456789012345678e1' : '5c47503320eef5699e1cce8f'
    expect(declaration.entries[0]?.values['apiKeyId']).toBe(id)
    expect(warnings).toEqual([])
  },
)

test('one id in two spellings is one thing declared twice', async () => {
  const twice = `${keyOf('5C47503320EEF5699E1CCE8F')}  other: { apiKeyId: 5c47503320eef5699e1cce8f, desc: b }\n`
  expect(await refusedLines(twice)).toEqual([expect.stringContaining('other')])
})

test.each([
  '12345678901234567890',
  '123',
  '1e5',
  '0x1F',
  '0x1113225911534299929101',
  '.5',
  '5980123456789012345678901',
])(
  'the number %s is no id, and is refused with that it has to be quoted, and where ids are shown',
  async (number) => {
    expect(await refusedLines(keyOf(number))).toEqual([
      '5:18 apiKeys.k.apiKeyId: a number stands where an id is expected, which has 24 hexadecimal digits: quote it; deploymgmt inventory shows ids',
    ])
    expect(
      await refusedLines(
        `{"version":1,"name":"a","projects":{"p":{"id":${number.startsWith('0x') || number === '.5' ? 7 : number}}}}`,
      ),
    ).toEqual([
      expect.stringContaining(
        'projects.p.id: a number stands where an id is expected, which has 24 hexadecimal digits: quote it',
      ),
    ])
  },
)

test.each(['"12345678901234567890"', '5c47503320eef5699e1cce8', 'reporting'])(
  'the text %s is taken, for ids are opaque, with a warning at its place',
  async (text) => {
    const { warnings } = await loadText(keyOf(text))
    expect(allLines(warnings)).toEqual([
      `5:18 apiKeys.k.apiKeyId: "${text.replaceAll('"', '')}" does not look like an id of this API; those are 24 hexadecimal digits`,
    ])
    expect(warnings[0]).toMatchObject({ severity: 'warning' })
  },
)

test('an id under projects that is not like one is told there alone, however often the project is named', async () => {
  const { warnings } = await loadText(`${HEAD}projects:
  search: { id: 6b10000000000000000000002, orgId: acme }
  payments: { id: 6b1000000000000000000001 }
integrations:
  a: { projectIds: [payments, search], type: PAGING }
  b: { projectId: search, type: WEBHOOK }
  c: { projectIds: all, type: CHAT_A }
  d: { projectId: "\${projects.search.id}", type: CHAT_B }
users:
  dana: { userId: 5c8100bcf2a30b12ff882590, roles: [{ roleName: ORG_MEMBER, orgId: search }] }
`)
  expect(allLines(warnings)).toEqual([
    '5:17 projects.search.id: "6b10000000000000000000002" does not look like an id of this API; those are 24 hexadecimal digits',
    '5:51 projects.search.orgId: "acme" does not look like an id of this API; those are 24 hexadecimal digits',
  ])
})

test.each(['', '7', '""', 'null', '" x"', '[a]', '{ a: b }', 'true'])(
  'what is no id under projects, such as %j, is told there alone, however the project is named',
  async (id) => {
    const lines = await refusedLines(`${HEAD}projects:
  search: ${id === '' ? '{}' : `{ id: ${id}, orgId: 6b1000000000000000000001 }`}
integrations:
  a: { projectIds: [search], type: PAGING }
  b: { projectId: search, type: WEBHOOK }
  c: { projectIds: all, type: CHAT_A }
  d: { projectId: "\${projects.search.id}", type: CHAT_B }
users:
  dana: { userId: 5c8100bcf2a30b12ff882590, rolesComplete: true, roles: [{ roleName: GROUP_READ_ONLY, projectId: search }] }
`)
    expect(lines).toEqual([expect.stringMatching(/^5:\d+ projects\.search/)])
  },
)
