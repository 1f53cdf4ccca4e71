import { Integration, IntegrationGuard, type IntegrationGuardConfig } from '@deploymgmt/constructs'
import { Testing, TerraformStack } from 'cdktf'
import { expect, test } from 'vitest'
import { declared, refusal } from './support/declared.ts'

const projects = { payments: '5c8100bcf2a30b12ff88258f', search: '5c8100bcf2a30b12ff882590' }
const refused = (config: Partial<IntegrationGuardConfig>): string =>
  refusal((stack) => new IntegrationGuard(stack, 'guard', { projects, ...config }))

test('declares what must be there, what must not, and what else may be', () => {
  const { text, resources } = declared(
    (stack) =>
      new IntegrationGuard(stack, 'guard', {
        projects,
        present: ['PAGING'],
        absent: ['CHAT_A'],
        only: ['PAGING', 'WEBHOOK'],
        allowDelete: true,
      }),
  )
  expect(Object.keys(resources[Integration.tfResourceType] ?? {})).toHaveLength(6)
  for (const project_id of Object.values(projects)) {
    const has = (properties: object): boolean =>
      Testing.toHaveResourceWithProperties(text, Integration.tfResourceType, { project_id, ...properties })
    expect(has({ type: 'PAGING', ensure: 'present' })).toBe(true)
    expect(has({ type: 'CHAT_A', ensure: 'absent' })).toBe(true)
    expect(has({ only: ['PAGING', 'WEBHOOK'], allow: ['delete'] })).toBe(true)
  }
})

test('deletes nothing because of `only` unless it is told to', () => {
  const { text } = declared((stack) => new IntegrationGuard(stack, 'guard', { projects, only: [] }))
  expect(text).not.toContain('"allow"')
})

test('gives its integrations by project and type', () => {
  const stack = new TerraformStack(Testing.app(), 'acme')
  const { integrations } = new IntegrationGuard(stack, 'guard', {
    projects,
    present: ['PAGING'],
    only: ['PAGING'],
  })
  expect(integrations.search.PAGING?.node.path).toBe('acme/guard/search/PAGING')
  expect(integrations.payments.only?.node.path).toBe('acme/guard/payments/only')
  expect(integrations.payments.CHAT_A).toBeUndefined()
})

const idsWith = (config: Partial<IntegrationGuardConfig>): string[] =>
  Object.keys(
    declared((stack) => new IntegrationGuard(stack, 'guard', { projects, ...config })).resources[
      Integration.tfResourceType
    ] ?? {},
  )

test('a type that moves from one list to the other keeps its logical ids', () => {
  expect(idsWith({ present: ['PAGING'] })).toEqual(idsWith({ absent: ['PAGING'] }))
})

test.each<[string, Partial<IntegrationGuardConfig>, string]>([
  ['nothing', {}, 'present: give at least one of present, absent and only'],
  [
    'a type that is none',
    { present: ['PAGNG' as never] },
    'present[0]: "PAGNG" is not a valid integration type; did you mean PAGING?',
  ],
  ['a type twice', { present: ['PAGING', 'PAGING'] }, 'present[1]: PAGING is given twice'],
  [
    'a type that must and must not be',
    { present: ['PAGING'], absent: ['PAGING'] },
    'absent[0]: PAGING must be present too',
  ],
  [
    'a type that may and must not be',
    { absent: ['PAGING'], only: ['PAGING'] },
    'absent[0]: PAGING may be present, by only',
  ],
  [
    'a type that must be and may not',
    { present: ['PAGING'], only: ['WEBHOOK'] },
    'present[0]: PAGING is not among only',
  ],
  ['leave to delete without only', { absent: ['CHAT_A'], allowDelete: true }, 'allowDelete: applies to only'],
])('refuses %s', (_, config, message) => {
  expect(refused(config)).toContain(`acme/guard: ${message}`)
})
