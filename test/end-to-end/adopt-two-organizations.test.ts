/** A key that is used in two organizations belongs to the one that has its access lists. */
import { expect, it } from 'vitest'
import { adopting } from '../support/adopting.ts'
import { CI, fixtureWith, ONCALL, ORG, PROJECT } from '../support/installation.ts'
import { begin, OTHER_PROJECT, type Scene } from '../support/scene.ts'

const OTHER_ORG = '5980cfdf0b6d97029d82f86f'
const ONCALL_ID = '5c47503320eef5699e1cce8e'
const UNKNOWN_ID = '5c47503320eef5699e1cce70'

let here: Scene
const { adopt, textOf } = adopting(() => here)

const did = (minute: number, key: object, more: object = {}): object => ({
  id: `5dc9f1a2b3c4d5e6f708190${minute}`,
  eventTypeName: 'MAINTENANCE_WINDOW_CHANGED_AUDIT',
  created: `2026-11-02T09:0${minute}:00Z`,
  ...key,
  ...more,
})

const beginWith = async (own: readonly object[], other: readonly object[]): Promise<void> => {
  const roles = [ORG, OTHER_ORG].map((orgId) => ({ roleName: 'ORG_OWNER', orgId }))
  const { organizations, projects } = fixtureWith() as { organizations: any[]; projects: object[] }
  const apiKeys = organizations[0].apiKeys.map((key: object) => ({ ...key, roles }))
  here = await begin({
    fixture: {
      organizations: [
        { ...organizations[0], apiKeys, events: own },
        { id: OTHER_ORG, name: 'Other', events: other },
      ],
      projects: [...projects, { id: OTHER_PROJECT, orgId: OTHER_ORG, name: 'ledger' }],
    },
    manifest: `version: 1\nname: test\nprojects:\n  payments: { id: ${PROJECT}, orgId: ${ORG} }\n  ledger: { id: ${OTHER_PROJECT}, orgId: ${OTHER_ORG} }\n`,
  })
}

const commentOf = async (name: string): Promise<string> => {
  await adopt()
  return new RegExp(`  # ${name}: #.*\\n(?:  #   .*\\n)*`).exec(await textOf())?.[0] ?? ''
}

const ONCALL_ACTS = { publicKey: ONCALL.publicKey, apiKeyId: ONCALL_ID }
const ABOUT = { eventTypeName: 'API_KEY_ROLES_CHANGED', publicKey: CI.publicKey }

it('has the organization in which it is listed, wherever it was used last', async () => {
  await beginWith([did(1, ONCALL_ACTS)], [did(2, ONCALL_ACTS)])
  expect(await commentOf('oncall')).toContain(`  #   orgId: ${ORG}\n  #   apiKeyId: ${ONCALL_ID}\n`)
})

it('has that in which it was changed, where no list has it', async () => {
  const about = did(1, { ...ABOUT, targetPublicKey: 'nightly' })
  await beginWith([about], [did(2, { publicKey: 'nightly', apiKeyId: UNKNOWN_ID })])
  expect(await commentOf('nightly')).toContain(`  #   orgId: ${ORG}\n`)
})

it('has none where it only was used, and no list has it', async () => {
  const acts = { publicKey: 'nightly', apiKeyId: UNKNOWN_ID }
  await beginWith([did(1, acts)], [did(2, acts)])
  expect(await commentOf('nightly')).toContain('  #   orgId: # to be put here')
})
