import { expect, it } from 'vitest'
import { change, driftOf, planOf, resource } from './support/documents.ts'
import { driftAs, planAs } from './support/faces.ts'

const adopted = change({
  address: 'apiKeys.reporting',
  action: 'adopt',
  evidence: { level: 'unknown' },
  fields: [{ path: 'desc', before: null, after: 'Reporting' }],
})

it.each(['text', 'markdown', 'html'] as const)(
  'a plan as %s does not call none what was never seen',
  async (format) => {
    const shown = await planAs(format, planOf([adopted]))
    expect(shown).toContain('(not known)')
    expect(shown).not.toContain('(none)')
  },
)

it('an accepted drift of which nothing shows the value does not call it none', async () => {
  const accepted = resource({
    address: 'apiKeys.reporting',
    verdict: 'accepted',
    fields: [{ path: 'desc', before: 'Reporting', after: null, note: 'no endpoint shows it' }],
  } as never)
  const shown = await driftAs('text', driftOf([], { accepted: [accepted] }))
  expect(shown).toContain('apiKeys.reporting (desc (not known))')
})
