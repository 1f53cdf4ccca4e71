import { Ajv2020 } from 'ajv/dist/2020.js'
import { comparable, defineKind, forget, manifestSchema, none, string } from '@deploymgmt/provider/core'
import { kinds } from '@deploymgmt/provider/kinds'
import { expect, test } from 'vitest'

const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, allErrors: true })
ajv.addFormat('date-time', true)
const asEditors = ajv.compile(manifestSchema(kinds))
const manifest = (sections: object): object => ({ version: 1, name: 'acme', ...sections })

test('the schema is one of draft 2020-12, with every section', () => {
  const schema = manifestSchema(kinds) as { $schema: string; properties: object; required: string[] }
  expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
  expect(schema.required).toEqual(['version', 'name'])
  expect(Object.keys(schema.properties)).toEqual([
    'version',
    'name',
    'state',
    'otherStates',
    'remove',
    'variables',
    'projects',
    'key',
    'gates',
    'unmanaged',
    'defaults',
    ...kinds.map(({ section }) => section),
  ])
})

test('every declarable field of every kind has its summary in the schema, and no computed one is there', () => {
  for (const kind of kinds) {
    const schema = manifestSchema(kinds) as {
      properties: Record<
        string,
        { additionalProperties: { properties: Record<string, { description: string }> } }
      >
    }
    const { properties } = schema.properties[kind.section]?.additionalProperties ?? { properties: {} }
    const declared = Object.entries(kind.fields).filter(([, field]) => field.change !== 'computed')
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(declared.map(([name]) => name)))
    expect(Object.keys(properties).filter((name) => kind.fields[name]?.change === 'computed')).toEqual([])
    for (const [name, field] of declared)
      expect(properties[name]?.description).toContain(field.summary.slice(0, 20))
    for (const option of ['onRemove', 'protect', 'ignoreChanges']) expect(properties).toHaveProperty(option)
  }
})

test('a part may have nothing in it but comments where a manifest may', () => {
  for (const part of ['projects', 'key', 'unmanaged', 'defaults', 'users'])
    expect(asEditors(manifest({ [part]: null }))).toBe(true)
  for (const part of ['name', 'otherStates']) expect(asEditors(manifest({ [part]: null }))).toBe(false)
})

test('an expression may stand for any value', () => {
  const text = manifest({
    alertConfigurations: { a: { alertConfigId: '${apiKeys.k.apiKeyId}', enabled: '${var.on}' } },
    integrations: { i: { type: '${var.type}', only: '${var.only}' } },
    maintenanceWindows: { w: { alertTypeNames: ['${var.t}'], startDate: '${var.s}', endDate: '${var.e}' } },
  })
  expect(asEditors(text)).toBe(true)
})

const keyOf = (value: unknown): object =>
  manifest({ apiKeys: { k: { apiKeyId: value, desc: 4711, roles: ['ORG_MEMBER'] } } })

test('digits without quotes are taken where a manifest takes them from its text', () => {
  expect(asEditors(keyOf(5.980123456789e23))).toBe(true)
  for (const wrong of [-1, true, null, 'a/b']) expect(asEditors(keyOf(wrong))).toBe(false)
})

const windowOf = (type: string | number): object =>
  manifest({ maintenanceWindows: { w: { alertTypeNames: [type], startDate: 's', endDate: 'e' } } })
test('digits are taken as a word of an open set, and as the name of a project', () => {
  expect(asEditors(windowOf(123))).toBe(true)
  const defaults = { projectIds: { all: true, except: [2026] } }
  expect(asEditors(manifest({ projects: { 2026: { id: 'a' } }, defaults }))).toBe(true)
})

const integrationOf = (type: string): object => manifest({ integrations: { i: { type } } })

test('an open set completes and refuses nothing, a closed one refuses', () => {
  expect(asEditors(windowOf('SOMETHING_NEW'))).toBe(true)
  expect(asEditors(integrationOf('SOMETHING_NEW'))).toBe(false)
  expect(asEditors(integrationOf('PAGING'))).toBe(true)
  expect(JSON.stringify(manifestSchema(kinds))).toContain('{"enum":["HOST","REPLICA_SET"')
})

test('what a creation takes is required unless the key is there', () => {
  expect(asEditors(manifest({ users: { u: { roles: [] } } }))).toBe(false)
  expect(asEditors(manifest({ users: { u: { roles: [], userId: 'a' } } }))).toBe(true)
})

test('the field that takes over an existing thing counts, whatever the key is called', () => {
  const [, , , window] = kinds
  if (window === undefined) throw new Error('no kind')
  const fields = { ...window.fields, label: string('Label.').toCreate() }
  const validate = ajv.compile(manifestSchema([{ ...window, section: 'things', fields }]))
  const thing = { alertTypeNames: ['HOST'], startDate: 's', endDate: 'e' }
  expect(validate(manifest({ things: { t: thing } }))).toBe(false)
  expect(validate(manifest({ things: { t: { ...thing, windowId: 'a' } } }))).toBe(true)
})

test('a kind that can only be created always demands what creating takes', () => {
  const [, , , window] = kinds
  if (window === undefined) throw new Error('no kind')
  const made = defineKind({
    ...window,
    section: 'things',
    establish: { ...window.establish, adopt: none('It cannot be adopted.') },
    fields: { label: string('Label.').toCreate() },
    write: none('It cannot be changed.'),
    identity: { ...window.identity, scope: [] },
    release: { forget },
    silences: none('a thing has no say in alerts'),
  })
  const validate = ajv.compile(manifestSchema([made]))
  expect(validate(manifest({ things: { t: {} } }))).toBe(false)
  expect(validate(manifest({ things: { t: { label: 'x' } } }))).toBe(true)
})

test('fields that are compared can be ignored, and secrets and names cannot', () => {
  expect(Object.fromEntries(kinds.map((kind) => [kind.section, comparable(kind)]))).toEqual({
    apiKeys: ['desc', 'roles', 'accessList'],
    users: ['username', 'emailAddress', 'firstName', 'lastName', 'mobileNumber', 'roles'],
    alertConfigurations: ['enabled'],
    maintenanceWindows: ['alertTypeNames', 'startDate', 'endDate', 'description'],
    integrations: [],
  })
})
