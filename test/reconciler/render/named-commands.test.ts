import { expect, it } from 'vitest'
import { withCommandsNamed } from '../../../reconciler/render/document/named-commands.ts'

const advice = 'Look at it; deploymgmt state accept ADDRESS -f a.yaml leaves it as it is.'
const weekly = 'maintenanceWindows.weekly[2026-12-06T01:00:00Z]'

it('a command names the thing that it is about, quoted for a shell', () => {
  const [change] = withCommandsNamed([{ address: weekly, byHand: advice, notes: [advice.slice(12)] }])
  const named = `deploymgmt state accept '${weekly}' -f a.yaml leaves it as it is.`
  expect(change).toEqual({ address: weekly, byHand: `Look at it; ${named}`, notes: [named] })
})

it('things with the same words stay alike, so that they are shown together', () => {
  const several = [weekly, 'users.sam'].map((address) => ({ address, byHand: advice }))
  expect(withCommandsNamed(several)).toEqual(several)
})
