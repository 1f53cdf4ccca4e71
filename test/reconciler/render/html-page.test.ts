import type { Actor } from '@deploymgmt/provider/engine'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useBrowser, type Watched } from '../../support/browser.ts'
import type { DriftDocument } from '../../../reconciler/render/document/drift-model.ts'
import { change, driftOf, noisy, planOf, PROJECT, resource } from './support/documents.ts'
import { DRIFTED, driftPage, FAILED_PAGE, PLANNED, planPage } from './support/pages.ts'

const browser = useBrowser()

const rows = (page: Page) => page.locator('#rows > tbody > tr:visible')
const addresses = (page: Page): Promise<string[]> =>
  page.locator('#rows > tbody > tr:visible > .at').allTextContents()
const rowOf = (page: Page, address: string) =>
  page.locator('tr', { has: page.getByRole('rowheader', { name: address, exact: true }) })

/** The page asked for nothing, threw nothing, and the browser complained about nothing. */
const expectQuiet = ({ requests, complaints }: Watched): void => {
  expect(requests).toEqual([])
  expect(complaints).toEqual([])
}

it.each([
  ['roles can only be given at creation', 'roles can only be given at creation.'],
  ['declared, not recorded', 'Declared, not recorded.'],
])('a reason is a sentence, in which the name of a field keeps its small letter: %s', (reason, said) => {
  const user = change({ address: 'users.dana', action: 'blocked', reason })
  expect(planPage(planOf([user]))).toContain(`<bdi>${said}</bdi>`)
})

it('why something cannot be verified ends with one stop', () => {
  const note = 'No endpoint returns a user.'
  const evidence = { level: 'recorded', since: '2026-11-20T06:00:00Z', note } as const
  const said = '<bdi>Cannot be verified; as recorded on 2026-11-20. No endpoint returns a user.</bdi>'
  expect(planPage(planOf([change({ address: 'users.dana', action: 'unchanged', evidence })]))).toContain(said)
  const unverifiable = { address: 'users.dana', verdict: 'unverifiable', evidence, reason: note } as const
  expect(driftPage(driftOf([resource(unverifiable)]))).toContain(said)
})

it.each([
  [true, 'info'],
  [false, 'warn'],
])('gates stand out where one is closed: an open one of two, and one that is open: %s', (open, tone) => {
  const gate = {
    projectId: PROJECT,
    gate: 'g',
    goal: 'no alert is open',
    hindrances: [],
    declaredAt: 'a.yaml:1:1',
  }
  const page = planPage(
    planOf([change({ address: 'users.dana', action: 'create' })], {
      gates: [
        { ...gate, open: true },
        { ...gate, open },
      ],
    }),
  )
  expect(page).toMatch(new RegExp(`<section class="list ${tone}">\\s*<h2>Gates</h2>`))
})

it('an id in an address stays in one line of a table or a card', async () => {
  const ids = ['5c8100bcf2a30b12ff88258f', '5d1113b25a115342acc2d0f3'] as const
  const address = `alertConfigurations.down[${ids.join('/')}]`
  for (const width of [400, 1280]) {
    const { page } = await browser().open(driftPage(driftOf([{ ...noisy, address }])), {
      viewport: { width, height: 900 },
    })
    // What a range covers has a box for each of its lines.
    const lines = await page.evaluate(`${JSON.stringify(ids)}.flatMap((id) => {
      const texts = document.createTreeWalker(document.querySelector('#rows .at bdi'), NodeFilter.SHOW_TEXT)
      const found = []
      while (texts.nextNode()) {
        const at = texts.currentNode.data.indexOf(id)
        if (at < 0) continue
        const range = document.createRange()
        range.setStart(texts.currentNode, at)
        range.setEnd(texts.currentNode, at + id.length)
        found.push(range.getClientRects().length)
      }
      return found
    })`)
    expect(lines).toEqual([1, 1])
  }
})

describe('the top of the page', () => {
  it('says the verdict in words, when, of what, and how many of each', async () => {
    const { page } = await browser().open(driftPage(DRIFTED))
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(
      '3 things drifted, 1 may have been changed',
    )
    const facts = await page.locator('.top .facts').innerText()
    for (const said of [
      '2026-11-20 06:00 UTC',
      'opsmgr.example.com',
      'acme-production',
      'ciadmin',
      'payments',
    ])
      expect(facts).toContain(said)
    const counts = await page.locator('#marks li').allInnerTexts()
    expect(counts.map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
      '∅ 1 gone',
      '≠ 2 drifted',
      '≟ 1 perhaps drifted',
      '‼ 1 late',
      '… 1 pending',
      '? 1 not verifiable',
      '✓ 10 in sync',
    ])
  })

  it.each([
    ['a report of nothing', driftPage(driftOf([])), 'Nothing recorded'],
    ['a plan of nothing', planPage(planOf([])), 'Nothing declared, nothing recorded'],
    [
      'a report in sync',
      driftPage(driftOf([resource({ address: 'a.b', verdict: 'in-sync' })], { exitCode: 0 })),
      'No drift',
    ],
    [
      'a strict report of what nobody can verify',
      driftPage(
        driftOf([
          resource({ address: 'a.b', verdict: 'in-sync' }),
          resource({ address: 'a.c', verdict: 'unverifiable' }),
        ]),
      ),
      'No drift, but not everything can be verified',
    ],
    [
      'a report of a request of unknown outcome',
      driftPage(
        driftOf([], { toBeSettled: [{ address: 'a.b', reasonCode: 'x', reason: 'asked for again' }] }),
      ),
      '1 request to be settled by apply',
    ],
    [
      'a report in which what nobody declares counts',
      driftPage(driftOf([], { unmanaged: DRIFTED.unmanaged ?? [], unmanagedCounts: true })),
      '1 thing unmanaged',
    ],
    [
      'a report of what is pending, beside what nobody declares',
      driftPage(
        driftOf([resource({ address: 'a.b', verdict: 'pending' })], { unmanaged: DRIFTED.unmanaged ?? [] }),
      ),
      'No drift, 1 pending, 1 thing unmanaged',
    ],
    [
      'a plan of which a part is blocked',
      planPage(planOf([], { summary: { update: 1, blocked: 7 } })),
      '1 change to make, 7 blocked',
    ],
    [
      'a report whose drift is all accepted',
      driftPage(driftOf([], { accepted: DRIFTED.accepted ?? [], exitCode: 0 })),
      'No drift',
    ],
    [
      'a plan in sync that lists nothing',
      planPage(planOf([], { summary: { unchanged: 3 } })),
      'Nothing to do',
    ],
  ])('says it plainly for %s', async (_, text, verdict) => {
    const watched = await browser().open(text)
    expect(await watched.page.getByRole('heading', { level: 1 }).textContent()).toBe(verdict)
    expectQuiet(watched)
  })
})

describe('the table', () => {
  it('begins with the worst', async () => {
    const { page } = await browser().open(driftPage(DRIFTED))
    expect((await addresses(page)).slice(0, 7)).toEqual([
      'integrations.paging',
      'alertConfigurations.noisy',
      'apiKeys.reporting',
      'users.alex',
      'maintenanceWindows.w[2026-11-21]',
      'maintenanceWindows.w[2026-11-28]',
      'users.dana',
    ])
    expect(
      await page.locator('#rows').getByRole('columnheader', { name: 'Verdict' }).getAttribute('aria-sort'),
    ).toBe('ascending')
  })

  it('is filtered by words, all of which have to be somewhere in a row', async () => {
    const watched = await browser().open(driftPage(DRIFTED))
    const { page } = watched
    await page.getByLabel('Filter').fill('ORG_MEMBER sam')
    expect(await addresses(page)).toEqual(['users.alex'])
    await page.locator('#told').getByText('1 of 17 rows').waitFor()
    await page.getByLabel('Filter').fill('nowhere')
    await page.getByRole('button', { name: 'Show all' }).click()
    expect(await rows(page).count()).toBe(17)
    expect(await page.getByLabel('Filter').inputValue()).toBe('')
    expectQuiet(watched)
  })

  it('is filtered by verdicts, several at once', async () => {
    const { page } = await browser().open(driftPage(DRIFTED))
    const late = page.getByRole('button', { name: '1 late' })
    await late.click()
    expect(await addresses(page)).toEqual(['maintenanceWindows.w[2026-11-21]'])
    await page.getByRole('button', { name: '1 not verifiable' }).click()
    expect(await rows(page).count()).toBe(2)
    expect(await late.getAttribute('aria-pressed')).toBe('true')
    await late.click()
    expect(await addresses(page)).toEqual(['users.dana'])
  })

  it('is sorted by each column both ways, what has nothing there last', async () => {
    const { page } = await browser().open(driftPage(DRIFTED))
    const sort = (name: string) =>
      page.locator('#rows').getByRole('columnheader', { name }).getByRole('button').click()
    await sort('Address')
    expect((await addresses(page)).slice(0, 3)).toEqual(
      [1, 2, 3].map((each) => `alertConfigurations.a${String(each)}`),
    )
    await sort('Address')
    expect((await addresses(page))[0]).toBe('users.dana')
    await sort('When')
    expect((await addresses(page)).slice(0, 3)).toEqual([
      'apiKeys.reporting',
      'users.alex',
      'alertConfigurations.noisy',
    ])
    expect(await page.locator('#rows th[aria-sort]').allInnerTexts()).toEqual(['When'])
    await sort('When')
    expect((await addresses(page)).slice(0, 3)).toEqual([
      'alertConfigurations.noisy',
      'users.alex',
      'apiKeys.reporting',
    ])
  })

  it('folds into cards on a phone, without a scroll sideways, and is sorted by a list', async () => {
    const { page } = await browser().open(driftPage(DRIFTED), { viewport: { width: 360, height: 700 } })
    await page.getByLabel('Sort by').selectOption('Address')
    expect((await addresses(page))[0]).toBe('alertConfigurations.a1')
    await rowOf(page, 'apiKeys.reporting').locator('summary').click()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  })
})

describe('a row', () => {
  it('opens to fields before and after, who did it, and both ways out', async () => {
    const { page } = await browser().open(driftPage(DRIFTED))
    await page.getByRole('button', { name: '2 drifted' }).click()
    const row = rowOf(page, 'apiKeys.reporting')
    const details = row.locator('.details')
    expect(await details.isVisible()).toBe(false)
    await row.locator('.when').click()
    const text = (await details.innerText()).replaceAll(/\s+/g, ' ')
    for (const said of [
      'accessList 192.0.2.0/24 198.51.100.7 192.0.2.0/24 0.0.0.0/0',
      'Reporting Reporting, open for a day Reports',
      'Changed likely by key "oncall" from 192.0.2.8, 2026-11-18 23:02:11 UTC, API_KEY_ACCESS_LIST_ENTRY_ADDED',
      'Likely: several events could explain it',
      'Undo it deploymgmt apply --target apiKeys.reporting',
      'Keep it edit deploymgmt.yaml:12',
      '-desc: a +desc: b',
    ])
      expect(text).toContain(said)
    expect(await details.locator('del').allInnerTexts()).toEqual(['198.51.100.7'])
    expect(await details.locator('ins').allInnerTexts()).toEqual(['0.0.0.0/0'])
  })

  it('says of the one event that can be why no more than that, beside others on the same field', async () => {
    const [event] = DRIFTED.resources.flatMap(({ evidence }) => evidence.events ?? [])
    const drift = {
      ...noisy,
      evidence: { level: 'read', events: event === undefined ? [] : [event] },
    } as typeof noisy
    const { page } = await browser().open(driftPage(driftOf([drift])))
    const text = await rowOf(page, noisy.address).locator('.details').textContent()
    const said = text?.replaceAll(/\s+/g, ' ')
    expect(said).toContain(
      'Exactly one event can explain the current value, and it is about exactly what changed.',
    )
    expect(said).toContain(event?.id)
  })

  it('says that it was accepted, and why that does not count any more', async () => {
    const { page } = await browser().open(driftPage(DRIFTED))
    const text = await rowOf(page, 'integrations.paging').locator('.details').textContent()
    const said = text?.replaceAll(/\s+/g, ' ')
    expect(said).toContain('its time is over Over by now, until 2026-11-01 deploymgmt.accepted.yaml:9')
    expect(said).toContain('it has changed again Another one deploymgmt.accepted.yaml:12')
  })

  it('lets a command be copied as it is', async () => {
    const { page } = await browser().open(driftPage(DRIFTED), {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const row = rowOf(page, 'apiKeys.reporting')
    await row.locator('summary').click()
    await row.getByRole('button', { name: 'Copy' }).first().click()
    await row.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      'deploymgmt apply --target apiKeys.reporting',
    )
  })

  it('is reached from the timeline, also where a filter hides it', async () => {
    const watched = await browser().open(driftPage(DRIFTED))
    const { page } = watched
    await page.getByLabel('Filter').fill('paging')
    await page.locator('#timeline').getByRole('link', { name: 'apiKeys.reporting' }).click()
    const kept = rowOf(page, 'apiKeys.reporting').getByText('Keep it')
    await kept.waitFor()
    expect(await kept.isVisible()).toBe(true)
    expectQuiet(watched)
  })
})

const timelineLead = async (document: DriftDocument): Promise<string> => {
  const { page } = await browser().open(driftPage(document))
  return page.locator('#timeline > .lead').innerText()
}

const timelineEnds = async (document: DriftDocument): Promise<string[]> => {
  const { page } = await browser().open(driftPage(document))
  return page.locator('#timeline .axis span').allInnerTexts()
}

const actedAt = (hour: string) => ({ ...noisy.actor, at: `2026-11-19T${hour}:40:00Z` }) as Actor

describe('the other sections', () => {
  it('are there where they have something to say', async () => {
    const { page } = await browser().open(driftPage(DRIFTED))
    expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
      'Warnings',
      'To be settled',
      'Recorded and live',
      'Accepted',
      'Unmanaged',
      'Unmanaged, and known',
      'Who did what, when',
    ])
    const events = await page.locator('#timeline .actor h3').allInnerTexts()
    expect(events.map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
      'key "oncall" 3 events',
      'dana@example.com 2 events',
      'sam@example.com 1 event',
    ])
  })

  it('have what is grave of what nobody declares above the rows, where the timeline leads to it', async () => {
    const [other] = DRIFTED.unmanaged ?? []
    if (other === undefined) throw new Error('nothing is unmanaged')
    const quiet = { ...other, what: 'silences HOST', silences: true, isInForce: true } as const
    const actor = { ...noisy.actor, eventId: '5dd42a80a11b3a0c5f5a1c77' } as Actor
    const unmanaged = [other, { ...quiet, actor }]
    const { page } = await browser().open(driftPage(driftOf([noisy], { unmanaged })))
    expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
      'Unmanaged and serious',
      'Recorded and live',
      'Unmanaged',
      'Who did what, when',
    ])
    const link = page.locator('#timeline').getByRole('link', { name: 'silences HOST' })
    const anchor = (await link.first().getAttribute('href')) ?? ''
    expect(await page.locator(anchor).innerText()).toContain('silences HOST')
  })

  it('have what is grave with the entry to paste, and a button that copies it', async () => {
    const [other] = DRIFTED.unmanaged ?? []
    if (other === undefined) throw new Error('nothing is unmanaged')
    const entry = 'window-a: { projectId: payments, windowId: 5c8a }'
    const declare = { text: `add ${entry} to maintenanceWindows`, entry }
    const quiet = { ...other, what: 'silences HOST', silences: true, isInForce: true, declare } as const
    const { page } = await browser().open(driftPage(driftOf([noisy], { unmanaged: [quiet] })))
    const way = page.locator('li .way')
    expect(await way.getByRole('paragraph').innerText()).toBe('add this to maintenanceWindows')
    expect(await way.locator('code').innerText()).toBe(entry)
    await way.getByRole('button', { name: 'Copy' }).click()
    await way.getByRole('button', { name: /^(?:Copied|Selected)$/ }).waitFor()
  })

  it('say of which events the timeline is, as far as that is so', async () => {
    const unmanaged = DRIFTED.unmanaged ?? []
    expect(await timelineLead(driftOf([], { unmanaged }))).toBe('1 event by 1 actor about what stands above.')
    expect(await timelineLead(DRIFTED)).toContain('without those that applies of this manifest caused')
  })

  it('have an event once, of a thing of which a part is accepted too', async () => {
    const fields = [{ path: 'threshold', before: 1, after: 2 }]
    const acceptance = { reason: 'fine', at: 'deploymgmt.accepted.yaml:3:3' }
    const document = driftOf([noisy], { accepted: [{ ...noisy, fields, acceptance }] })
    expect(await timelineLead(document)).toMatch(/^1 event by 1 actor/)
  })

  it('say when the first and the last event was, by the clock where both are of one day', async () => {
    const some = [
      { ...noisy, actor: actedAt('07') },
      { ...noisy, address: 'alertConfigurations.b', actor: actedAt('17') },
    ]
    expect(await timelineEnds(driftOf(some))).toEqual(['2026-11-19 07:40 UTC', '2026-11-19 17:40 UTC'])
    expect(await timelineEnds(DRIFTED)).toEqual(['2026-11-17', '2026-11-19'])
  })

  it('say where the values of an entry come from, and what alone was looked at', async () => {
    const watched = await browser().open(planPage(PLANNED))
    const { page } = watched
    const section = page.locator('section', {
      has: page.getByRole('heading', { name: 'Where the values of users.dana come from' }),
    })
    expect(await section.locator('li').innerText()).toMatch(
      /^roles\s+deploymgmt\.yaml:3:5 ← default of the field$/,
    )
    expect(await page.locator('.verdict .lead').innerText()).toContain('Only the targets were checked.')
    expect(await page.locator('.top .facts').innerText()).toMatch(
      /targets\s+users\.\*, maintenanceWindows\.migration/i,
    )
    expectQuiet(watched)
  })

  it('of a plan say what it needs, and what this key made', async () => {
    const { page } = await browser().open(planPage(PLANNED))
    expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
      'Needed to apply',
      'Made by this key, but not recorded',
      'Planned changes',
      'Where the values of users.dana come from',
      'Who did what, when',
    ])
  })
})

it('a command that failed has a page of its own, with all that was found', async () => {
  const watched = await browser().open(FAILED_PAGE)
  const { page } = watched
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(
    'The command failed; there is no report',
  )
  expect((await page.locator('body').innerText()).replaceAll(/\s+/g, ' ')).toMatch(
    /the manifest has 1 error.*DM-MANIFEST.*What was found deploymgmt\.yaml:3:5 users\.a: no such role.*Mend it\./,
  )
  expectQuiet(watched)
})

describe('paper', () => {
  it('has all open that counts, and nothing that can only be clicked', async () => {
    const { page } = await browser().open(driftPage(DRIFTED))
    await page.emulateMedia({ media: 'print' })
    expect(await rowOf(page, 'apiKeys.reporting').getByText('Keep it').isVisible()).toBe(true)
    expect(await rowOf(page, 'alertConfigurations.a1').locator('.facts').isVisible()).toBe(false)
    expect(await page.getByLabel('Filter').isVisible()).toBe(false)
    expect((await page.pdf()).subarray(0, 5).toString()).toBe('%PDF-')
  })

  it('is white, whatever the screen is', async () => {
    const { page } = await browser().open(driftPage(DRIFTED), { colorScheme: 'dark' })
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(31, 30, 27)')
  })
})
