/** Where a manifest has several projects, nobody has to look up ids to know which of them a report is about. */
import { describe, expect, it } from 'vitest'
import type { DriftDocument } from '../../../reconciler/render/document/drift-model.ts'
import { formatsOf } from '../../../reconciler/render/formats.ts'
import { about, change, driftOf, noisy, planOf, PROJECT, resource } from './support/documents.ts'
import { driftAs, planAs } from './support/faces.ts'
import { applyText, finished, summaryOf } from './support/apply.ts'

const OTHER = '5c8100bcf2a30b12ff882590'
const two = {
  ...about,
  projects: [
    { id: PROJECT, name: 'payments' },
    { id: OTHER, name: 'search' },
  ],
}
const names = new Map(two.projects.map(({ id, name }) => [id, name]))
const CONFIGURATION = '5d1113b25a115342acc2d0f3'
const address = `alertConfigurations.host-down[${OTHER}/${CONFIGURATION}]`
const window = `maintenanceWindows.night[${OTHER}]`
const identity = { projectId: OTHER, alertConfigId: CONFIGURATION }
const evidence = {
  level: 'recorded',
  since: '2026-11-20T05:00:00Z',
  note: 'No event about it since.',
} as const

const inOneLine = (shown: string): string => shown.replaceAll(/<\/?(?:i|bdi|b|span|div)[^>]*>|\s+/g, ' ')

describe('which of several projects', () => {
  const drifted = driftOf([{ ...noisy, address, identity, what: 'HOST_DOWN' }], { about: two })

  it.each(formatsOf('drift').filter((format) => !['json', 'text'].includes(format)))(
    'drift is in, is beside its address as %s',
    async (format) => {
      const shown = await driftAs(format, drifted)
      expect(inOneLine(shown)).toMatch(/project search, HOST_DOWN/)
      const one: DriftDocument = {
        ...drifted,
        about: { ...about, projects: [{ id: OTHER, name: 'search' }] },
      }
      expect(await driftAs(format, one)).not.toContain('search, HOST_DOWN')
    },
  )

  it.each(['text', 'markdown'])(
    'what nobody can verify is in, is beside its address as %s',
    async (format) => {
      const doc = driftOf([resource({ address: window, verdict: 'unverifiable', evidence })], { about: two })
      expect(inOneLine(await driftAs(format, doc, { names }))).toMatch(
        /night\[5c8100bcf2a30b12ff882590\]`? \(search\)/,
      )
    },
  )

  it('a change is in, is beside its address on a page and in a comment', async () => {
    const changes = [PROJECT, OTHER].map((projectId) =>
      change({
        address: `alertConfigurations.host-down[${projectId}/${CONFIGURATION}]`,
        action: 'update',
        after: { projectId },
        fields: [{ path: 'enabled', before: true, after: false }],
      }),
    )
    const page = await planAs('html', planOf(changes, { about: two }))
    const heads = [...page.matchAll(/class="at">[^]*?<i class="more"><bdi>(.*?)<\/bdi>/g)]
    expect(heads.map(([, said]) => said)).toEqual(['project payments', 'project search'])
    const comment = await planAs('markdown', planOf(changes, { about: two }))
    for (const { address: each, after } of changes)
      expect(comment).toContain(`- \`${each}\` · project ${names.get(String(after?.['projectId']))}`)
  })

  it('a change that is done was in, is beside its address', () => {
    expect(applyText(finished({ address, action: 'update' }), { names })).toContain(`${address} (search)`)
    const end = applyText(summaryOf({ unverifiable: [{ address: window, evidence }] }), { names })
    expect(end).toContain(`${window} (search)`)
  })
})
