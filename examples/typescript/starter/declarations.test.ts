import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AlertConfiguration, MaintenanceWindow } from '@deploymgmt/constructs'
import { Testing } from 'cdktf'
import { Declarations } from './declarations.ts'

const declared = Testing.synth(new Declarations(Testing.app(), 'production'), true)

void test('a host that is down raises an alert', () => {
  assert.ok(
    Testing.toHaveResourceWithProperties(declared, AlertConfiguration.tfResourceType, {
      select: { event_type_name: 'HOST_DOWN' },
      enabled: true,
    }),
  )
})

void test('patching starts at three in Madrid, before and after the clocks change', () => {
  for (const start_date of ['2030-01-06T02:00:00Z', '2030-03-31T01:00:00Z'])
    assert.ok(
      Testing.toHaveResourceWithProperties(declared, MaintenanceWindow.tfResourceType, { start_date }),
    )
})
