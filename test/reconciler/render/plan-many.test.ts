import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import {
  change,
  dana,
  hostDown,
  inSync,
  migration,
  oldChat,
  paging,
  planOf,
  planText,
  reporting,
} from './support/documents.ts'
import { longest } from './support/text.ts'

describe('many changes', () => {
  const many = Array.from({ length: 1000 }, (_, index) => ({
    ...migration,
    address: `maintenanceWindows.w${index}`,
    needs: index > 997 ? [{ flag: '--allow-delete', because: 'x' }] : [],
  }))

  it('are folded, and nothing that a flag is needed for is hidden by it', () => {
    const shown = planText(planOf(many))
    expect(shown.split('\n').length).toBeLessThan(40)
    expect(shown).toContain('… 995 more like it, --all shows them; 2 of them need --allow-delete')
    expect(shown.endsWith('1,000 to create')).toBe(true)
  })

  it('are all there with --all', () => {
    const shown = planText(planOf(many), { all: true })
    expect(shown.match(/^ {2}\+ /gm)).toHaveLength(1000)
    expect(shown).not.toContain('more like it')
  })

  it('are folded only where they are alike', () => {
    const some = [
      ...many.slice(0, 8),
      ...Array.from({ length: 8 }, (_, i) => ({ ...dana, address: `users.${i}` })),
    ]
    expect(planText(planOf(some))).not.toContain('more like it')
  })

  it('of which the same is to be said say it once', () => {
    const released = ['a', 'b'].map((name) =>
      change({ address: `apiKeys.${name}`, action: 'release', reason: 'no longer declared; forgotten' }),
    )
    expect(planText(planOf(released))).toContain(
      '  < apiKeys.a\n  < apiKeys.b\n      no longer declared; forgotten\n',
    )
  })
})

describe('the look of a plan', () => {
  const all = [reporting, dana, hostDown, migration, paging, oldChat, inSync('alertConfigurations.cpu')]

  it.each([60, 80, 120])('fits %i columns', (width) => {
    const breakable = all.filter((each) => each !== hostDown)
    const shown = planText(planOf(breakable), { width, all: true })
    expect(longest(shown.split('\n').slice(1).join('\n'))).toBeLessThanOrEqual(width)
  })

  it.each([60, 80, 120])('is the same with and without colour at %i columns', (width) => {
    const plain = planText(planOf(all), { width })
    const coloured = planText(planOf(all), { width, color: true })
    expect(coloured).not.toBe(plain)
    expect(stripVTControlCharacters(coloured)).toBe(plain)
  })

  it('gives each action a mark of its own', () => {
    const actions = ['create', 'adopt', 'update', 'delete', 'release', 'moved', 'blocked', 'expired'] as const
    const doc = planOf([...actions.map((action) => change({ address: `x.${action}`, action })), dana])
    const marks = [...planText(doc).matchAll(/^ {2}(\S) (?:x\.|users)/gm)].map(([, mark]) => mark)
    expect(new Set(marks).size).toBe(9)
  })
})
