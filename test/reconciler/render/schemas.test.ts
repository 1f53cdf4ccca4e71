import { describe, expect, it } from 'vitest'
import { begin } from '../../support/scene.ts'
import { faultsIn, schemaChecker } from '../../support/schemas.ts'
import { failing, manifestWith } from '../../support/installation.ts'
import { runHere } from '../../support/command.ts'
import { EMPTY, reportsWith } from './support/specimens.ts'

/** What `deploymgmt schema` prints, offline. */
const printed = async (...words: string[]): Promise<any> => {
  const ran = await runHere({ folder: '/', env: {} }, ['schema', ...words])
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  return JSON.parse(ran.stdout)
}

/** Every schema inside one, with its path. */
const within = (schema: any, at = '$'): { readonly at: string; readonly schema: any }[] =>
  schema === null || typeof schema !== 'object'
    ? []
    : [{ at, schema }, ...Object.entries(schema).flatMap(([key, each]) => within(each, `${at}.${key}`))]

describe.each(['plan', 'apply', 'drift'])('the schema of what %s prints', (name) => {
  it('is one of draft 2020-12 that a strict reader takes', async () => {
    const schema = await printed(name)
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
    expect(schemaChecker().validateSchema(schema)).toBe(true)
    expect(() => schemaChecker().compile(schema)).not.toThrow()
  })

  it('says of each field what it means, and takes no other field', async () => {
    const objects = within(await printed(name)).filter(({ schema }) => schema.properties !== undefined)
    expect(objects.length).toBeGreaterThan(4)
    const silent = objects.flatMap(({ at, schema }) =>
      Object.entries<any>(schema.properties)
        // The names of counts of actions, verdicts and statuses explain themselves.
        .filter(
          ([, field]) => field.description === undefined && !/\.(?:summary|byStatus|done|written)$/.test(at),
        )
        .map(([key]) => `${at}.${key}`),
    )
    expect(silent).toEqual([])
    expect(objects.filter(({ schema }) => schema.additionalProperties !== false)).toEqual([])
  })

  it('takes documents with any text in them, and those that have the least to tell', () => {
    const documents = [...reportsWith('2026-11-20T12:00:00Z')[name as 'plan'], ...EMPTY[name as 'plan']]
    expect(documents.length).toBeGreaterThan(1)
    for (const { document } of documents)
      expect(faultsIn(name, JSON.parse(JSON.stringify(document)))).toEqual([])
  })

  it.each([
    ['what it does not know', { more: 1 }],
    ['another version', { formatVersion: 2 }],
    ['a number in words', { requestsSent: 'four' }],
    ['what is left out', { warnings: undefined }],
  ])('refuses %s', (_, change) => {
    const [{ document } = {}] = EMPTY[name as 'plan']
    expect(faultsIn(name, JSON.parse(JSON.stringify({ ...document, ...change })))).not.toEqual([])
  })
})

it('the schema of a manifest is what is printed unless another one is asked for', async () => {
  expect(await printed()).toStrictEqual(await printed('manifest'))
  const { code, stderr } = await runHere({ folder: '/', env: {} }, ['schema', 'state'])
  expect(code).toBe(1)
  expect(stderr).toContain('Allowed choices are manifest, plan, apply, drift')
})

it('a document of each kind is held to its schema: with an unknown outcome, a saved plan, a target', async () => {
  const here = await begin({ manifest: manifestWith() })
  await here.json('plan', '--all', '--out', 'saved.json')
  expect((await here.json('plan', 'saved.json')).document.saved).toMatchObject({ file: 'saved.json' })
  await failing(here, 'PATCH', 'alertConfigs', { fault: 'reset-after' })
  const { document } = await here.json('drift', '--target', 'alertConfigurations.*')
  expect(document.resources.length).toBeGreaterThan(0)
})

it.each(['plan', 'drift'])(
  'a failing %s is as its schema has it, with all that manifests lack',
  async (name) => {
    const here = await begin({ manifest: 'verison: 1\nname: test\nusers: 3\n' })
    const { code, document } = await here.json(name)
    expect([code, document.error.findings.length > 1]).toEqual([1, true])
    expect(faultsIn(name, document)).toEqual([])
    const missing = await here.json(name, '-f', 'none.yaml')
    expect(missing.document.error.code).toBe('DM-MANIFEST-NOT-FOUND')
    expect(faultsIn(name, missing.document)).toEqual([])
    expect(faultsIn(name, { ...missing.document, inSync: true })).not.toEqual([])
    expect(await printed(name)).toMatchObject({ oneOf: [{}, {}] })
  },
)
