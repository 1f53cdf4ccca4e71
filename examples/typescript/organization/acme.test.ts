import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AlertConfiguration, MaintenanceWindow, User } from '@deploymgmt/constructs'
import { Testing } from 'cdktf'
import { Acme, organization, projects } from './acme.ts'

const declared = Testing.synth(new Acme(Testing.app(), 'acme'), true)
const hasWindow = (properties: object): boolean =>
  Testing.toHaveResourceWithProperties(declared, MaintenanceWindow.tfResourceType, properties)

void test('every project raises an alert when a host is down', () => {
  for (const project_id of Object.values(projects))
    assert.ok(
      Testing.toHaveResourceWithProperties(declared, AlertConfiguration.tfResourceType, {
        project_id,
        select: { event_type_name: 'HOST_DOWN' },
        enabled: true,
      }),
    )
})

void test('search is patched at three in New York, the ledger never', () => {
  assert.ok(hasWindow({ project_id: projects.search, start_date: '2030-01-06T08:00:00Z' }))
  assert.ok(!hasWindow({ project_id: projects.ledger }))
})

void test('sam owns the organization', () => {
  assert.ok(
    Testing.toHaveResourceWithProperties(declared, User.tfResourceType, {
      roles: [{ role_name: 'ORG_OWNER', org_id: organization }],
    }),
  )
})
