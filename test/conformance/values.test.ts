import { camelToSnake, manifestSchema, type Fields, type FieldType } from '@deploymgmt/provider/core'
import {
  alertConfiguration,
  apiKey,
  integration,
  kinds,
  maintenanceWindow,
  user,
} from '@deploymgmt/provider/kinds'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { importResource } from '../../provider/terraform/resource/import.ts'
import { Severity } from '../../provider/terraform/wire/common-messages.ts'
import { UNKNOWN } from '../../provider/terraform/wire/value.ts'
import { diagnosticsOf, doors, type DoorName } from './values/doors.ts'
import { sound, table, type Row } from './values/table.ts'

/** A row without a field name changes several fields. */
const valuesOf = ({ kind, field, value }: Row) => ({
  ...sound.get(kind),
  ...(field === '' ? (value as object) : { [field]: value }),
})

const titleOf = ({ kind, field, value, is }: Row): string => {
  const written = JSON.stringify(value)
  const shown = written.length > 60 ? `${written.slice(0, 60)}… (${String(written.length)})` : written
  return `${kind.kind}${field === '' ? '' : `.${field}`} = ${shown} is ${is}`
}

describe.each(Object.entries(doors))('%s', (name, refusals) => {
  it.each(kinds.map((kind) => [kind.kind, kind] as const))('takes a sound %s', async (_, kind) => {
    expect(await refusals(kind, sound.get(kind) ?? {})).toEqual([])
  })

  const here = table.filter(({ not }) => not[name as DoorName] === undefined)
  it.each(here.map((row) => [titleOf(row), row] as const))('%s', async (_, row) => {
    const said = await refusals(row.kind, valuesOf(row))
    expect({ is: said.length === 0 ? 'good' : 'bad', said }).toMatchObject({ is: row.is })
  })

  it('quotes what a person wrote as it is written', async () => {
    const roleName = '{.orgId} {0} {enabled: false}'
    const roles = [{ roleName, orgId: '5980cfdf0b6d97029d82f86e' }]
    const said = await refusals(user, { ...sound.get(user), roles })
    expect(said).toEqual([expect.stringContaining(`"${roleName}" is not a`)])
  })
})

/** The names of all fields that Terraform spells otherwise. */
const namesIn = (fields: Fields): string[] =>
  Object.entries(fields).flatMap(([name, { type }]) => [
    ...(camelToSnake(name) === name ? [] : [name]),
    ...namesWithin(type),
  ])
const namesWithin = (type: FieldType): string[] => {
  if (type.is === 'object') return namesIn(type.fields)
  return type.is === 'set' || type.is === 'list' ? namesWithin(type.of) : []
}
const manifestNames = new RegExp(`\\b(?:${kinds.flatMap(({ fields }) => namesIn(fields)).join('|')})\\b`)

describe.each(['terraform', 'cdk.tf.json'] as const)('%s', (name) => {
  const wrong = table.filter(({ is, not }) => is === 'bad' && not[name] === undefined)
  it.each(wrong.map((row) => [titleOf(row), row] as const))(
    'calls no field as a manifest does: %s',
    async (_, row) => {
      expect((await doors[name](row.kind, valuesOf(row))).join('\n')).not.toMatch(manifestNames)
    },
  )
})

describe('the JSON Schema that editors read', () => {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true })
  ajv.addFormat('date-time', true)
  const validate = ajv.compile(manifestSchema(kinds))
  // A manifest accepts digits as text, exactly as written; an editor only sees the number.
  const taken = table.filter(
    ({ is, not, value }) => is === 'good' && not.manifest === undefined && typeof value !== 'number',
  )

  it.each(taken.map((row) => [titleOf(row), row] as const))('refuses nothing that is taken: %s', (_, row) => {
    const manifest = { version: 1, name: 'acme', [row.kind.section]: { it: valuesOf(row) } }
    validate(JSON.parse(JSON.stringify(manifest)))
    expect(validate.errors).toBeNull()
  })
})

describe('what Terraform does not know yet', () => {
  const unknowns = [...sound].flatMap(([kind, values]) =>
    Object.keys(values).map((field) => ({ kind, values: { ...values, [field]: UNKNOWN } })),
  )
  const within = [
    { kind: apiKey, values: { ...sound.get(apiKey), accessList: [UNKNOWN, '192.0.2.1'] } },
    { kind: maintenanceWindow, values: { ...sound.get(maintenanceWindow), alertTypeNames: [UNKNOWN] } },
    { kind: user, values: { ...sound.get(user), roles: [{ roleName: UNKNOWN, orgId: UNKNOWN }, UNKNOWN] } },
    {
      kind: user,
      values: {
        ...sound.get(user),
        roles: ['ORG_MEMBER', 'ORG_MEMBER'].map((roleName) => ({ roleName, orgId: UNKNOWN })),
      },
    },
    {
      kind: user,
      values: {
        ...sound.get(user),
        roles: [{ roleName: 'GLOBAL_OWNER', orgId: UNKNOWN }, { roleName: 'GLOBAL_OWNER' }],
      },
    },
    {
      kind: alertConfiguration,
      values: {
        ...sound.get(alertConfiguration),
        alertConfigId: undefined,
        select: { eventTypeName: UNKNOWN, matchers: [UNKNOWN, { value: UNKNOWN }] },
      },
    },
  ]

  it.each([...unknowns, ...within])('is no problem: $kind.kind, %#', async ({ kind, values }) => {
    expect(await diagnosticsOf(kind, values)).toEqual([])
  })
})

it('an id unlike all that were met is a warning in Terraform', async () => {
  const values = { ...sound.get(apiKey), apiKeyId: '12345678901234567890' }
  expect(await diagnosticsOf(apiKey, values)).toMatchObject([
    { severity: Severity.warning, summary: expect.stringContaining('24 hexadecimal digits') },
  ])
})

const ID = '5c47503320eef5699e1cce8f'

describe('an id that Terraform imports', () => {
  it.each([
    [`${ID}/${ID}`, apiKey],
    [ID, user],
    [`${ID}/PAGING`, integration],
  ] as const)('is taken: %s', (id, kind) => {
    expect(importResource(kind, id)).toHaveProperty('state')
  })

  it.each([
    [ID, apiKey],
    [`${ID}/..`, apiKey],
    [`./${ID}`, apiKey],
    [`${ID}/reporting`, apiKey],
    ['..', user],
    ['a b', user],
    ['sam@example.com', user],
    [ID.slice(1), user],
    [`${ID}/PAGNG`, integration],
    ['payments/PAGING', integration],
  ] as const)('is refused: %s', (id, kind) => {
    expect(importResource(kind, id)).toHaveProperty('problems')
  })
})
