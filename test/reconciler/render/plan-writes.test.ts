import { describe, expect, it } from 'vitest'
import { formatsOf } from '../../../reconciler/render/formats.ts'
import type { ReportedChange } from '../../../reconciler/render/document/plan-model.ts'
import { change, planOf, PROJECT } from './support/documents.ts'
import { planAs } from './support/faces.ts'

const request = (method: string) =>
  [{ method, path: `/groups/${PROJECT}/things/x` }] as ReportedChange['requests']

/** Each action with each effect that it can have, and the words for its count. */
const EFFECTS: Readonly<
  Record<string, Pick<ReportedChange, 'action' | 'requests' | 'onRemove'> & { readonly words: string }>
> = {
  'a creation': { action: 'create', requests: request('POST'), words: 'to create' },
  'an adoption that writes': { action: 'adopt', requests: request('PATCH'), words: 'to adopt and change' },
  'an adoption that asks': { action: 'adopt', requests: [], words: 'to adopt' },
  'a change': { action: 'update', requests: request('PATCH'), words: 'to change' },
  'a change of the record': { action: 'update', requests: [], words: 'to change' },
  'a deletion': { action: 'delete', requests: request('DELETE'), words: 'to delete' },
  'a release by a write': { action: 'release', onRemove: 'end', requests: request('PATCH'), words: 'to end' },
  'a release that changes the record': { action: 'release', requests: [], words: 'to leave unmanaged' },
  'a renaming that writes': { action: 'moved', requests: request('PATCH'), words: 'to rename' },
}

const changesOf = (
  count: number,
  isAlike: boolean,
  { action, requests, onRemove }: (typeof EFFECTS)[string],
): ReportedChange[] =>
  Array.from({ length: count }, (_, index) =>
    change({
      action,
      requests,
      ...(onRemove === undefined ? {} : { onRemove }),
      address: `alertConfigurations.p${index}x`,
      kind: 'alert_configuration',
      after: { projectId: PROJECT },
      fields: [{ path: 'threshold', before: -1, after: isAlike ? 0 : index }],
    }),
  )

const visible = (shown: string): string =>
  shown
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&#46;/g, '.')
    .replaceAll(/[*\s]+/g, ' ')

describe.each(formatsOf('plan'))('a plan as %s', (format) => {
  describe.each(Object.entries(EFFECTS))('shows %s', (_, effect) => {
    it.each([1, 2, 40, 2000])('of %i things, each by name or in a counted group', async (count) => {
      for (const isAlike of [true, false]) {
        const shown = visible(await planAs(format, planOf(changesOf(count, isAlike, effect))))
        const named = new Set(shown.match(/alertConfigurations\.p\d+x/g)).size
        const group = `${count.toLocaleString('en-US')} alert configuration${count === 1 ? '' : 's'} ${effect.words}`
        expect(named === count || shown.includes(group), `${named} of ${count} named`).toBe(true)
      }
    })
  })
})

const turning = (count: number, off: number) =>
  planOf(
    Array.from({ length: count }, (_, index) =>
      change({
        action: 'update',
        requests: request('PATCH'),
        address: `alertConfigurations.p${index}x`,
        fields: [{ path: 'enabled', before: index < off, after: index >= off }],
        ...(index < off ? { turnsOff: true } : {}),
      }),
    ),
  )

describe('a plan that turns things off', () => {
  it.each([
    [10, 7, '10 to change (7 turned off)'],
    [2, 2, '2 to change (all turned off)'],
    [1, 1, '1 to change (turned off)'],
  ])('says of %i changes that %i turn something off, in its counts', async (count, off, words) => {
    const document = turning(count, off)
    expect((await planAs('text', document)).trimEnd().split('\n').at(-1)).toBe(words)
    expect((await planAs('markdown', document)).split('\n')[0]).toBe(`### Plan: ${words}`)
    expect(visible(await planAs('html', document))).toContain(
      `${count} change${count === 1 ? '' : 's'} to make, ${off} ${off === 1 ? 'turns' : 'turn'} something off`,
    )
  })

  it('says of writes of which more are learnt how many are sent at least', async () => {
    const several = change({
      action: 'update',
      requests: request('PATCH'),
      address: 'apiKeys.reporting',
      fields: [
        { path: 'desc', before: 'a', after: 'b' },
        { path: 'roles', before: null, after: ['ORG_MEMBER'] },
      ],
      notes: ['desc is sent first, without roles: the answer shows whether roles must change'],
    })
    expect(visible(await planAs('html', planOf([several])))).toContain('sends at least 1 write.')
    expect(visible(await planAs('html', turning(2, 1)))).toContain('sends 2 writes.')
  })
})

describe('a person who gets many roles', () => {
  const roles = Array.from({ length: 40 }, (_, index) => ({
    roleName: index === 39 ? 'GROUP_OWNER' : 'GROUP_READ_ONLY',
    projectId: `5c8100bcf2a30b12ff88${String(index).padStart(4, '0')}`,
  }))
  const plans = {
    create: change({
      action: 'create',
      requests: request('POST'),
      address: 'users.dana',
      fields: [{ path: 'roles', before: null, after: roles }],
    }),
    update: change({
      action: 'update',
      requests: request('PATCH'),
      address: 'users.dana',
      fields: [{ path: 'roles', before: [{ roleName: 'ORG_MEMBER' }], after: roles }],
    }),
    loss: change({
      action: 'update',
      requests: request('PATCH'),
      address: 'users.dana',
      fields: [{ path: 'roles', before: roles, after: [{ roleName: 'ORG_MEMBER' }] }],
    }),
  }

  it.each(formatsOf('plan').flatMap((format) => Object.keys(plans).map((name) => [format, name] as const)))(
    'is shown with all of them, as %s, in a %s',
    async (format, name) => {
      const shown = visible(await planAs(format, planOf([plans[name as keyof typeof plans]])))
      expect(shown).toContain('GROUP_OWNER')
      expect(new Set(shown.match(/5c8100bcf2a30b12ff88\d{4}/g)).size).toBe(40)
    },
  )
})

it('a new person is shown with the whole of an address, also where that is long', async () => {
  const address = `security@bank.example.com.${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example.org`
  const person = change({
    action: 'create',
    requests: request('POST'),
    address: 'users.dana',
    fields: [{ path: 'emailAddress', before: null, after: address }],
  })
  expect(await planAs('text', planOf([person]))).toContain(address)
})
