import {
  camelToKebab,
  camelToSnake,
  nearest,
  snakeToKebab,
  type Fields,
  type FieldType,
} from '@deploymgmt/provider/core'
import { dataSources } from '@deploymgmt/provider/data-sources'
import { kinds } from '@deploymgmt/provider/kinds'
import { describe, expect, test } from 'vitest'

const namesOf = (fields: Fields): string[] =>
  Object.entries(fields).flatMap(([name, { type }]) => [name, ...inside(type)])
const inside = (type: FieldType): string[] => {
  if (type.is === 'object') return namesOf(type.fields)
  return type.is === 'set' || type.is === 'list' ? inside(type.of) : []
}
const names = [
  ...kinds.flatMap(({ fields, section }) => [section, ...namesOf(fields)]),
  ...dataSources.flatMap((source) => [...namesOf(source.arguments), ...namesOf(source.result)]),
]

const back = (form: string): string =>
  form.replaceAll(/[-_](.)/g, (_, letter: string) => letter.toUpperCase())

describe('names of fields', () => {
  test('have a form for the command line and one for Terraform', () => {
    expect(camelToKebab('alertConfigId')).toBe('alert-config-id')
    expect(camelToSnake('alertConfigId')).toBe('alert_config_id')
    expect(camelToSnake('id')).toBe('id')
    expect(snakeToKebab('global_alert')).toBe('global-alert')
  })

  test.each([...new Set(names)])('%s comes back from both forms as it was', (name) => {
    expect(back(camelToKebab(name))).toBe(name)
    expect(back(camelToSnake(name))).toBe(name)
  })
})

describe('the nearest spelling', () => {
  const roles = ['ORG_OWNER', 'ORG_MEMBER', 'ORG_GROUP_CREATOR', 'ORG_READ_ONLY']

  test.each([
    ['ORG_REDA_ONLY', 'ORG_READ_ONLY'],
    ['org_owner', 'ORG_OWNER'],
    ['ORGMEMBER', 'ORG_MEMBER'],
  ])('of %s is %s', (word, meant) => {
    expect(nearest(word, roles)).toBe(meant)
  })

  test.each(['', 'PRESIDENT', 'x'.repeat(100_000)])('of an unrelated word is none', (word) => {
    expect(nearest(word, roles)).toBeUndefined()
  })

  test('of a name that is cut short is the whole one, rather than another with one other letter', () => {
    expect(nearest('project', ['protect', 'projectId', 'projectIds'])).toBe('projectId')
    expect(nearest('role', ['roles', 'rule'])).toBe('roles')
    expect(nearest('protec', ['protect', 'projectId'])).toBe('protect')
  })

  const sections = ['apiKeys', 'alertConfigurations', 'maintenanceWindows', 'maintainers']

  test.each([
    ['alertconfigs', 'alertConfigurations'],
    ['alert-config', 'alertConfigurations'],
    ['maintenance', 'maintenanceWindows'],
    // Two names begin with it.
    ['maint', undefined],
    ['api', undefined],
  ])('of %s, the beginning of a name, is %s', (word, meant) => {
    expect(nearest(word, sections)).toBe(meant)
  })

  test('among nothing is none', () => {
    expect(nearest('ORG_OWNER', [])).toBeUndefined()
  })
})
