import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useBrowser } from '../../support/browser.ts'
import type { ReportedChange } from '../../../reconciler/render/document/plan-model.ts'
import { change, hostDown, planOf, PROJECT } from './support/documents.ts'
import { planPage } from './support/pages.ts'

const browser = useBrowser()

const rows = (page: Page) => page.locator('#rows > tbody > tr:visible')
const textOf = async (page: Page, selector: string): Promise<string> =>
  (await page.locator(selector).innerText()).replaceAll(/\s+/g, ' ')

const DAYS = 92
const FIRST = Date.UTC(2035, 0, 1, 1)
const instant = (day: number, hours = 0): string =>
  new Date(FIRST + (day * 24 + hours) * 3_600_000).toISOString().replace('.000Z', 'Z')

/** The window that a daily rule makes on a day. */
const nightly = (day: number): ReportedChange => {
  const [startDate, endDate] = [instant(day), instant(day, 2)]
  return change({
    address: `maintenanceWindows.nightly[${startDate}]`,
    kind: 'maintenance_window',
    action: 'create',
    declaredAt: 'deploymgmt.yaml:9:3',
    reason: 'declared, not recorded',
    after: { projectId: PROJECT, startDate, endDate, alertTypeNames: ['HOST'] },
    fields: [
      { path: 'alertTypeNames', before: null, after: ['HOST'] },
      { path: 'startDate', before: null, after: startDate },
      { path: 'endDate', before: null, after: endDate },
    ],
    zones: { startDate: 'Europe/Madrid' },
    evidence: { level: 'unknown' },
    requests: [{ method: 'POST', path: `/groups/${PROJECT}/maintenanceWindows/` }],
  })
}
const all = Array.from({ length: DAYS }, (_, day) => nightly(day))

describe('occurrences of a schedule that do the same', () => {
  it('share a row, which says how many they are, from when to when, and each with its times', async () => {
    const { page, complaints } = await browser().open(planPage(planOf([...all, hostDown])))
    expect(await rows(page).count()).toBe(2)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('93 changes to make')
    expect(
      (await page.locator('#marks li').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ')),
    ).toEqual(['~ 1 to change', `+ ${String(DAYS)} to create`])
    expect(await textOf(page, '#row-1 > .at')).toBe(
      'maintenanceWindows.nightly[START] 2 h each, from 2035-01-01 01:00 UTC to 2035-04-02 03:00 UTC',
    )
    expect(await textOf(page, '#row-1 > .is')).toBe('+ to create 92 occurrences')
    expect(await textOf(page, '#row-1 > .field')).toBe('alertTypeNames')
    await page.locator('#row-1 summary').click()
    const listed = await page.locator('#row-1 .details .occurrences li').allInnerTexts()
    expect(listed.length).toBe(DAYS)
    expect(listed[1]?.replaceAll(/\s+/g, ' ')).toBe(
      'maintenanceWindows.nightly[2035-01-02T01:00:00Z] 2035-01-02 01:00 → 03:00 UTC (02:00 Europe/Madrid)',
    )
    expect(await page.locator('#row-1 .fields th').allInnerTexts()).toEqual([
      'Field',
      'Now',
      'Planned',
      'alertTypeNames',
    ])
    expect(await textOf(page, '#row-1 .details > .facts')).toContain(
      `Sends POST /groups/${PROJECT}/maintenanceWindows/ 92 times`,
    )
    expect(complaints).toEqual([])
  })

  it('are found by the address or the day of one of them, by the mark, and by the keyboard', async () => {
    const { page } = await browser().open(planPage(planOf([...all, hostDown])))
    for (const words of ['nightly[2035-03-05T01:00:00Z]', '2035-03-05 madrid']) {
      await page.locator('#filter').fill(words)
      expect(await rows(page).count()).toBe(1)
      expect(await rows(page).first().getAttribute('id')).toBe('row-1')
    }
    await page.locator('#filter').fill('')
    await page.getByRole('button', { name: '92 to create' }).click()
    expect(await rows(page).count()).toBe(1)
    await page.locator('#row-1 summary').focus()
    await page.keyboard.press('Enter')
    expect(await page.locator('#row-1 .details .occurrences li').first().isVisible()).toBe(true)
  })

  it('say how long they were before', async () => {
    const longer = all.slice(0, 2).map((each, day) => {
      const before = { ...each.after, endDate: instant(day, 1) }
      const fields = [{ path: 'endDate', before: before.endDate, after: instant(day, 2) }]
      return { ...each, action: 'update' as const, before, fields }
    })
    const { page } = await browser().open(planPage(planOf(longer)))
    expect(await textOf(page, '#row-0 > .at')).toBe(
      'maintenanceWindows.nightly[START] 2 h each (1 h before), from 2035-01-01 01:00 UTC to 2035-01-02 03:00 UTC',
    )
  })

  it('name their projects, and have the sum of what each sends', async () => {
    const other = { id: '5c8100bcf2a30b12ff882590', name: 'search' }
    const projects = [{ id: PROJECT, name: 'payments' }, other]
    const inProjects = projects.flatMap(({ id }) =>
      all.slice(0, 2).map((each) => ({
        ...each,
        address: each.address.replace('[', `[${id}/`),
        after: { ...each.after, projectId: id },
        requests: [{ method: 'POST' as const, path: `/groups/${id}/maintenanceWindows/` }],
      })),
    )
    const about = {
      manifest: 'm',
      files: ['deploymgmt.yaml'],
      declared: 1,
      baseUrl: 'https://opsmgr.example.com/api/public/v1.0',
      publicKey: 'ciadmin',
      organizations: [],
      projects,
    }
    const { page } = await browser().open(planPage(planOf(inProjects, { about })))
    expect(await textOf(page, '#row-0 > .at')).toBe(
      'maintenanceWindows.nightly[PROJECT/START] in each of payments, search 2 h each, from 2035-01-01 01:00 UTC to 2035-01-02 03:00 UTC',
    )
    await page.locator('#row-0 summary').click()
    const facts = await textOf(page, '#row-0 .details > .facts')
    for (const { id } of projects) expect(facts).toContain(`POST /groups/${id}/maintenanceWindows/ 2 times`)
  })

  it('have rows of their own where they differ, or where events are about them', async () => {
    const longer = { ...nightly(1), zones: { startDate: 'Europe/London' } }
    const changed = { ...nightly(2), ...(hostDown.actor === undefined ? {} : { actor: hostDown.actor }) }
    const { page } = await browser().open(planPage(planOf([nightly(0), longer, changed, nightly(3)])))
    expect(await rows(page).count()).toBe(3)
    await page.locator('#timeline a').click()
    const id = (await page.locator('#timeline a').getAttribute('href')) ?? ''
    expect(await textOf(page, `${id} > .at`)).toBe(changed.address)
  })
})
