import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kinds } from '@deploymgmt/provider/kinds'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadDeclaration } from '../../../reconciler/config/index.ts'
import { ManifestError } from '../../../reconciler/errors/manifest-error.ts'
import { HEAD } from './support/manifests.ts'
import { anyJson, anyText } from '../../support/any-text.ts'
import { UNSEEN } from '../../support/obeyed.ts'
import { holds } from '../../support/soak.ts'

let cwd = ''
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'manifests-'))
})
afterAll(() => rm(cwd, { recursive: true }))

/** Whatever a file contains, it loads or is refused with a `ManifestError` whose places are inside the file. */
const outcomeOf = async (text: string | Uint8Array): Promise<string> => {
  await writeFile(join(cwd, 'deploymgmt.yaml'), text)
  try {
    const { declaration } = await loadDeclaration({ files: [], cwd }, kinds)
    return typeof declaration.name === 'string' ? 'fine' : 'a declaration without a name'
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error
    const lines = Buffer.from(text)
      .toString()
      .split(/\r\n|[\r\n]/).length
    if (!error.findings.some(({ severity }) => severity === 'error')) return 'a refusal without an error'
    if (!error.findings.every(({ line, column }) => line >= 1 && line <= lines && column >= 1))
      return `a place outside the file: ${error.describe()}`
    const unseen = UNSEEN.exec(error.describe())?.[0]
    return unseen === undefined ? 'fine' : `in the message: ${JSON.stringify(unseen)}`
  }
}

const word = fc.constantFrom(
  'version: 1',
  'name: a',
  'users:',
  'apiKeys:',
  'integrations:',
  'defaults:',
  'variables:',
  'projects:',
  'k:',
  '- ',
  ': ',
  'type: PAGING',
  'projectId: p',
  'apiKeyId: ${var.x}',
  'roles: [',
  ']',
  '{',
  '}',
  '&a ',
  '*a',
  '<<: *a',
  '!!str ',
  '? ',
  '|',
  '>',
  'password: x',
  'password: { env: X }',
  '"',
  "'",
  '#',
  '\t',
  '${',
  '${users.k.roles}',
  '---',
  '\u202E',
  '\u0000',
  '\r',
  '~',
  '__proto__:',
  'select: {}',
)
const piece = fc.oneof(
  { weight: 6, arbitrary: word },
  { weight: 2, arbitrary: fc.constantFrom('\n', '\n  ', '\n    ', ' ', ', ') },
  anyText({ maxLength: 5 }),
)

test('no text that resembles YAML breaks anything', async () => {
  const text = fc
    .tuple(fc.boolean(), fc.array(piece, { maxLength: 40 }))
    .map(([head, pieces]) => (head ? HEAD : '') + pieces.join(''))
  await holds(80, [text], async (one) => {
    expect(await outcomeOf(one)).toBe('fine')
  })
})

test('no bytes break anything', async () => {
  await holds(40, [fc.uint8Array({ maxLength: 200 })], async (bytes) => {
    expect(await outcomeOf(bytes)).toBe('fine')
  })
})

const leaf = fc.oneof(
  anyJson({ maxDepth: 1 }),
  fc.constantFrom(
    '${var.v}',
    '${projects.p.id}',
    '${apiKeys.k.roles}',
    '${users.k.userId}',
    'PAGING',
    'ORG_OWNER',
    '2026-12-05T02:00:00Z',
    '9999-12-31T23:59:60-23:59',
    '0000-02-29T02:00:00.123456789[Pacific/Apia]',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29',
    'P9999Y',
    '192.0.2.0/24',
    '192.0.2.1/0',
    '::ffff:192.0.2.1/96',
    'fe80::1%eth0/64',
    { env: 'X' },
  ),
)
const fields = [
  ...new Set(kinds.flatMap((kind) => Object.keys(kind.fields))),
  'projectIds',
  'onRemove',
  'protect',
  'ignoreChanges',
  'schedule',
  'default',
  '__proto__',
  'toString',
]
const entry = fc.dictionary(fc.constantFrom(...fields), fc.oneof(leaf, fc.array(leaf, { maxLength: 3 })), {
  maxKeys: 8,
})
const section = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.dictionary(fc.constantFrom('k', 'p', 'v', '__proto__', 'a.b'), fc.oneof(entry, leaf), {
      maxKeys: 3,
    }),
  },
  leaf,
)
const names = ['variables', 'projects', 'defaults', ...kinds.map((kind) => kind.section)]

test('no manifest of the right outline and wrong content breaks anything', async () => {
  const manifest = fc.record(Object.fromEntries(names.map((name) => [name, section])), { requiredKeys: [] })
  const text = manifest.map((sections) => JSON.stringify({ version: 1, name: 'acme', ...sections }))
  await holds(80, [text], async (one) => {
    expect(await outcomeOf(one)).toBe('fine')
  })
})
