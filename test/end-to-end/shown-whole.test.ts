import { afterEach, expect, it } from 'vitest'
import { applied, at, begin, only, type Scene } from '../support/scene.ts'

let here: Scene
afterEach(() => here.close())

it('a plan and a drift report agree about a thing of which all that counts is shown', async () => {
  here = await begin()
  await here.manifest(
    only(
      'apiKeys',
      '  reporting: { apiKeyId: 5c47503320eef5699e1cce8f, desc: Reporting, accessList: [192.0.2.0/24, 198.51.100.7], ignoreChanges: [desc] }',
    ),
  )
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  const { document: plan } = await here.json('plan', '--all')
  const { document: drift } = await here.json('drift')
  expect(at(plan, 'apiKeys.reporting')).toMatchObject({
    action: 'unchanged',
    reason: 'the live values are as declared; desc, which ignoreChanges names, was not compared',
    evidence: { level: 'read' },
  })
  expect(at(drift, 'apiKeys.reporting')).toMatchObject({ verdict: 'in-sync', evidence: { level: 'read' } })
})

it.each([
  ['differs', '[192.0.2.0/24]', [{ address: 'apiKeys.reporting', fields: ['accessList'] }]],
  ['is as declared', '[192.0.2.0/24, 198.51.100.7]', undefined],
])('they agree about a list that is left to others and %s', async (_, accessList, ignored) => {
  here = await begin()
  await applied(
    here,
    only(
      'apiKeys',
      `  reporting: { apiKeyId: 5c47503320eef5699e1cce8f, accessList: ${accessList}, ignoreChanges: [accessList] }`,
    ),
  )
  const { document: plan } = await here.json('plan', '--all')
  const { document: drift } = await here.json('drift')
  expect([plan.ignored, drift.ignored]).toEqual([ignored, ignored])
  // It was read, so it was compared.
  expect(at(plan, 'apiKeys.reporting').reason).not.toContain('not compared')
})
