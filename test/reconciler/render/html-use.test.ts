import { describe, expect, it } from 'vitest'
import { useBrowser } from '../../support/browser.ts'
import { dana, driftOf, hostDown, migration, noisy, planOf, resource } from './support/documents.ts'
import { DRIFTED, driftPage, planPage } from './support/pages.ts'

const browser = useBrowser()
const GROUND = 'getComputedStyle(document.body).backgroundColor'
const LIGHT = 'rgb(247, 246, 243)'
const DARK = 'rgb(19, 20, 22)'

describe('the colours', () => {
  it('are those of the reader, and change with them', async () => {
    const { page } = await browser().open(driftPage(DRIFTED), { colorScheme: 'dark' })
    expect(await page.evaluate(GROUND)).toBe(DARK)
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await page.evaluate(GROUND)).toBe(LIGHT)
  })

  it('are those of the switch where it is used, also the next time', async () => {
    const { page, complaints } = await browser().open(driftPage(DRIFTED), { colorScheme: 'light' })
    await page.getByRole('button', { name: 'Dark' }).click()
    expect(await page.evaluate(GROUND)).toBe(DARK)
    // Chromium may hand stored values to the process of the reloaded page a moment later.
    const reloaded = async (): Promise<unknown> => {
      await page.reload()
      return page.evaluate(GROUND)
    }
    await expect.poll(reloaded, { timeout: 10_000 }).toBe(DARK)
    expect(await page.getByRole('button', { name: 'Dark' }).getAttribute('aria-pressed')).toBe('true')
    await page.getByRole('button', { name: 'Auto' }).click()
    expect(await page.evaluate(GROUND)).toBe(LIGHT)
    expect(complaints).toEqual([])
  })

  it('have a switch whose words stay whole on the narrowest screen', async () => {
    const { page } = await browser().open(driftPage(DRIFTED), { viewport: { width: 320, height: 600 } })
    const lines = `[...document.querySelectorAll('#theme button, .name b')].map((each) => {
      const range = document.createRange()
      range.selectNodeContents(each)
      return range.getClientRects().length
    })`
    expect(await page.evaluate(lines)).toEqual([1, 1, 1, 1])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  })

  it('are switched also where nothing can be kept', async () => {
    const { page, complaints } = await browser().open(driftPage(DRIFTED), {
      init: () => {
        Object.defineProperty(globalThis, 'localStorage', {
          get: () => {
            throw new Error('denied')
          },
        })
      },
    })
    await page.getByRole('button', { name: 'Dark' }).click()
    expect(await page.evaluate(GROUND)).toBe(DARK)
    expect(complaints).toEqual([])
  })
})

describe('the keyboard alone', () => {
  it('reaches and does everything, in the order of the page', async () => {
    const { page, complaints } = await browser().open(driftPage(DRIFTED))
    const focused = (): Promise<string> =>
      page.evaluate<string>(
        '(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()',
      )
    const tab = async (): Promise<string> => {
      await page.keyboard.press('Tab')
      return (await focused()).replaceAll(/\s+/g, ' ')
    }
    const order = []
    for (let count = 0; count < 22; count += 1) order.push(await tab())
    expect(order).toEqual([
      'Skip to the table',
      'Auto',
      'Light',
      'Dark',
      '∅ 1 gone',
      '≠ 2 drifted',
      '≟ 1 perhaps drifted',
      '‼ 1 late',
      '… 1 pending',
      '? 1 not verifiable',
      '✓ 10 in sync',
      'Filter',
      'Address',
      'Verdict',
      'Field',
      'Recorded',
      'Live',
      'Who',
      'When',
      'Details of integrations.paging',
      'Details of alertConfigurations.noisy',
      'Details of apiKeys.reporting',
    ])
    await page.keyboard.press('Enter')
    expect(await page.locator('#row-2').getByText('Likely: several events').isVisible()).toBe(true)
    // The buttons come with the toggle event, which follows the opening.
    await page.locator('#row-2').getByRole('button', { name: 'Copy' }).first().waitFor()
    expect(await tab()).toBe('deploymgmt apply --target apiKeys.reporting')
    expect(await tab()).toBe('Copy')
    expect(complaints).toEqual([])
  })

  it('sorts, presses and filters, with a ring about what has the focus', async () => {
    const { page } = await browser().open(driftPage(DRIFTED))
    const ring = (): Promise<string> => page.evaluate('getComputedStyle(document.activeElement).outlineStyle')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    expect(await ring()).toBe('solid')
    expect(await page.locator('#rows > tbody > tr:visible').count()).toBe(1)
    for (let count = 0; count < 7; count += 1) await page.keyboard.press('Tab')
    await page.keyboard.type('paging')
    expect(await page.locator('#rows > tbody > tr:visible .at').allTextContents()).toEqual([
      'integrations.paging',
    ])
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    expect(await ring()).toBe('solid')
    expect(await page.locator('#rows th[aria-sort]').allInnerTexts()).toEqual(['Address'])
  })
})

describe('who and when', () => {
  const columns = `getComputedStyle(document.querySelector('#rows > tbody > tr')).gridTemplateColumns`

  it.each([
    [7, [hostDown, migration]],
    [5, [migration, dana]],
  ])('take %i columns with the others, and none where no row has them', async (count, changes) => {
    const { page, complaints } = await browser().open(planPage(planOf(changes)))
    expect(String(await page.evaluate(columns)).split(' ')).toHaveLength(count)
    // The last one opens the details.
    expect(await page.locator('#rows').getByRole('columnheader').count()).toBe(count + 1)
    expect(await page.getByLabel('Sort by').locator('option').count()).toBe(count)
    expect(complaints).toEqual([])
  })
})

describe('a screen reader', () => {
  it('is told of a table with headers, and of how many rows there are', async () => {
    const { page } = await browser().open(driftPage(DRIFTED))
    const table = page.getByRole('table', { name: 'Recorded and live' })
    expect(await table.getByRole('columnheader').count()).toBe(8)
    expect(await table.getByRole('rowheader').count()).toBe(17)
    const row = table.getByRole('row', { name: 'apiKeys.reporting' })
    // Rows that are not drawn yet have their text, too.
    expect(await row.getByRole('cell').nth(0).textContent()).toContain('drifted')
    await page.getByRole('status').getByText('17 rows').waitFor()
    await page.getByLabel('Filter').fill('paging')
    await page.getByRole('status').getByText('1 of 17 rows').waitFor()
    expect(await page.getByRole('status').textContent()).toBe('1 of 17 rows')
  })
})

describe('ten thousand rows', () => {
  const many = driftPage(
    driftOf(
      Array.from({ length: 10_000 }, (_, index) =>
        index % 4 === 0
          ? { ...noisy, address: `alertConfigurations.a${String(index)}` }
          : resource({ address: `alertConfigurations.a${String(index)}`, verdict: 'in-sync' }),
      ),
    ),
  )

  it('are filtered, sorted, opened and shown without a script error', async () => {
    const watched = await browser().open(many)
    const { page } = watched
    const told = page.locator('#told')
    await told.getByText('10,000 rows', { exact: true }).waitFor()
    await page.locator('#filter').fill('a9999')
    await told.getByText('1 of 10,000 rows').waitFor()
    await page.locator('#filter').fill('')
    await page.locator('#rows thead button').first().click()
    const at = await page.locator('#rows > tbody > tr > .at').allTextContents()
    expect(at).toEqual(Array.from({ length: 10_000 }, (_, index) => `alertConfigurations.a${String(index)}`))
    await page.locator('#row-0 summary').click()
    expect(await page.locator('#row-0 .details').isVisible()).toBe(true)
    expect([...watched.requests, ...watched.complaints]).toEqual([])
  })

  it('are all there without scripts', async () => {
    const { page } = await browser().open(many, { javaScriptEnabled: false })
    expect(await page.locator('#rows > tbody > tr').count()).toBe(10_000)
  })
})
