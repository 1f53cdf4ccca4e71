import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadAccepted, textWith } from '../../../reconciler/config/index.ts'
import { anyJson, anyWellFormedText } from '../../support/any-text.ts'
import { UNSEEN } from '../../support/obeyed.ts'
import { holds } from '../../support/soak.ts'

let cwd = ''
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'accepted-'))
})
afterAll(() => rm(cwd, { recursive: true }))

const read = async (text: string) => {
  await writeFile(join(cwd, 'accepted.yaml'), text)
  return loadAccepted('accepted.yaml', { cwd, env: {} })
}
type ToAccept = Parameters<typeof textWith>[1][number]
const entryOf = (address: string, more: Partial<ToAccept> = {}): ToAccept => ({
  address,
  values: { enabled: true },
  events: [],
  reason: 'known',
  ...more,
})

/** As JSON has it, without the place in the file. */
const plain = (entries: readonly object[]): unknown =>
  JSON.parse(JSON.stringify(entries.map((entry) => ({ ...entry, at: undefined }))))

const sent = fc
  .oneof(anyWellFormedText({ maxLength: 12 }), anyJson())
  .map((value): unknown =>
    JSON.parse(JSON.stringify(value), (_, inner: unknown) =>
      typeof inner === 'string' ? inner.toWellFormed() : inner,
    ),
  )
const said = fc.oneof(
  anyWellFormedText({ maxLength: 12 }).filter((text) => /\S/u.test(text)),
  fc.constantFrom('null', '0x1f', '2026-12-05', '# x', 'a #b', 'a: b', '- x', '---', '1:30', '${x}'),
)
const field = fc.constantFrom('enabled', 'a b', 'null', '1')
const entry = fc.oneof(
  fc.record({ field, value: sent, reason: said }).map(({ field: name, value, reason }) => ({
    field: name,
    values: { [name]: value },
    reason,
  })),
  fc.record({ values: fc.dictionary(field, sent, { minKeys: 1, noNullPrototype: true }), reason: said }),
)
const entriesOf = (...addresses: readonly string[]) =>
  fc
    .dictionary(fc.constantFrom(...addresses), entry)
    .map((all) => Object.entries(all).map(([address, rest]) => entryOf(address, rest)))

/** What people do with a file. */
const WAYS: Readonly<Record<string, (text: string) => string>> = {
  'line breaks of Windows': (text) => text.replaceAll(/\r?\n/g, '\r\n'),
  'a byte order mark': (text) => `\uFEFF${text.replace('\uFEFF', '')}`,
  'comments above': (text) => text.replaceAll('  - address', '  # ours\n  - address'),
  'empty lines': (text) => text.replaceAll('  - address', '\n\n  - address'),
  'no line break at the end': (text) => text.trimEnd(),
  'a comment at the end': (text) => `${text.trimEnd()}\n\n# the end\n`,
  'no indent': (text) => (text.includes('\n  - ') ? text.replaceAll('\n  ', '\n') : text),
}

test('what is accepted is read as it was written, beside what a file held before', async () => {
  const ways = fc.array(fc.constantFrom(...Object.values(WAYS)), { maxLength: 3 })
  await holds(
    80,
    [entriesOf('users.b', 'users.d'), entriesOf('users.a', 'users.c'), ways],
    async (one, other, all) => {
      const text = all.reduce((made, way) => way(made), textWith(undefined, one))
      const after = textWith(await read(text), other)
      const got = (await read(after)).items.map((item) => item.entry)
      expect(plain(got)).toEqual(
        plain([...one, ...other].toSorted(({ address }, { address: next }) => (address < next ? -1 : 1))),
      )
      for (const comment of [/# ours$/gm, /^# the end$/gm])
        expect(after.match(comment)).toEqual(text.match(comment))
    },
  )
})

test('whoever reviews what was accepted sees all of it', async () => {
  const odd = entryOf('users.a', {
    values: { 'x\u00AD': 'pay\u200Bments', y: ['\u3164', { z: '\u{E0041}' }] },
    events: ['id\u061C\u3164'],
    reason: 'x\u2800',
  })
  const text = textWith(undefined, [odd])
  expect(text).not.toMatch(UNSEEN)
  expect(plain((await read(text)).items.map((item) => item.entry))).toEqual(plain([odd]))
  await holds(80, [entriesOf('users.a', 'users.b')], (all) => {
    expect(textWith(undefined, all)).not.toMatch(UNSEEN)
    return Promise.resolve()
  })
})

const ITEM = textWith(undefined, [entryOf('users.a')]).split('accepted:\n')[1] ?? ''

test.each([
  [
    '# ours\nversion: 1\n# why\naccepted:\n# the end\n',
    `# ours\nversion: 1\n# why\naccepted:\n${ITEM}# the end\n`,
  ],
  [
    '# ours\naccepted: [] # was [] in May\nversion: 1\n',
    `# ours\naccepted: # was [] in May\n${ITEM}version: 1\n`,
  ],
  ['# ours\r\nversion: 1\r\naccepted:', `# ours\r\nversion: 1\r\naccepted:\n${ITEM}`],
  [
    '# ours\nversion: 1\naccepted:\n  # of May\n\n# the end\n',
    `# ours\nversion: 1\naccepted:\n${ITEM}  # of May\n\n# the end\n`,
  ],
])('the comments of a file that accepts nothing stay: %j', async (text, after) => {
  expect(textWith(await read(text), [entryOf('users.a')])).toBe(after)
  expect((await read(after)).items).toHaveLength(1)
})

test.each([
  '{version: 1, accepted: []}',
  'version: 1\naccepted:\n  ~\n',
  'version: 1\naccepted: [\n ]\n',
  'version: 1',
])('a file that accepts nothing in another form is written anew: %j', async (text) => {
  expect(textWith(await read(text), [entryOf('users.a')])).toBe(textWith(undefined, [entryOf('users.a')]))
})
