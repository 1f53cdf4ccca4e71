import { describe, expect, it } from 'vitest'
import { formatAddress, parseAddress } from '@deploymgmt/provider/engine'
import { replacedAddress } from '../../../../provider/engine/values/address.ts'

describe('an address', () => {
  it.each([
    ['users.dana', ['users.dana'], undefined],
    ['alertConfigurations.off[5d11]', ['alertConfigurations.off', '5d11'], undefined],
    ['alertConfigurations.off[5c81/5d11]', ['alertConfigurations.off', '5c81', '5d11'], undefined],
    ['integrations.list[5c81/A/B]', ['integrations.list', '5c81', 'A/B'], undefined],
    ['users.dana[replaced 5d2e]', ['users.dana'], '5d2e'],
    ['maintenanceWindows.w[5c81/2035][replaced 5d2e]', ['maintenanceWindows.w', '5c81', '2035'], '5d2e'],
  ])('%s has its parts, and is put together from them again', (text, [entry, ...keys], replaced) => {
    const parsed = parseAddress(text)
    expect(parsed).toEqual({ entry, keys, replaced })
    expect(formatAddress(parsed)).toBe(text)
  })

  it('of what is replaced keeps its keys, and has one such key at most', () => {
    const once = replacedAddress('maintenanceWindows.w[5c81/2035]', '5d2e')
    expect(once).toBe('maintenanceWindows.w[5c81/2035][replaced 5d2e]')
    expect(replacedAddress(once, '5d2f')).toBe('maintenanceWindows.w[5c81/2035][replaced 5d2f]')
  })
})
