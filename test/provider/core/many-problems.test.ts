import { checkManifest } from '@deploymgmt/provider/core/check'
import { kinds } from '@deploymgmt/provider/kinds'
import { expect, test } from 'vitest'

test('a list in an entry may have more wrong elements than a call can have arguments', () => {
  const alertTypeNames = Array.from({ length: 200_000 }, () => 1)
  const found = checkManifest(kinds, { maintenanceWindows: { migration: { alertTypeNames } } })
  const wrong = found.filter(({ code }) => code === 'wrong-type')
  expect(wrong.length).toBe(alertTypeNames.length)
})
