import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useBrowser } from '../../support/browser.ts'
import { OBEYED } from '../../support/obeyed.ts'
import { driftOf, noisy, resource } from './support/documents.ts'
import { DRIFTED, driftPage, FAILED_PAGE, PLANNED, planPage } from './support/pages.ts'
import { reportsWith } from './support/specimens.ts'

const browser = useBrowser()

const PAGES = { drift: driftPage(DRIFTED), plan: planPage(PLANNED) }

it.each([
  ['2026-11-19T17:40:00.395000Z', '2026-11-19T17:40:00.395Z'],
  ['2026-11-19T19:40:00.5+02:00', '2026-11-19T17:40:00.500Z'],
  ['2026-11-19T17:40:00Z', '2026-11-19T17:40:00.000Z'],
])('a machine reads a time as HTML allows it, with three digits of a fraction at most: %s', (at, read) => {
  const page = driftPage(driftOf([{ ...noisy, actor: { ...noisy.actor!, at } }]))
  expect(page).toContain(`<time datetime="${read}">2026-11-19 17:40:00 UTC</time>`)
})

describe.each(Object.entries(PAGES))('the page of %s', (_, text) => {
  it('holds no address that could be asked for, and no style or script but its own', () => {
    expect(text).not.toMatch(/\s(?:src|srcset|action|formaction|style|on[a-z]+)=/i)
    expect([...text.matchAll(/\shref="([^"]*)"/g)].filter(([, to]) => to?.startsWith('#') !== true)).toEqual(
      [],
    )
    expect(text).not.toContain('unsafe-')
    expect(text.match(/<script/g)).toHaveLength(1)
  })

  it.each(['light', 'dark'] as const)(
    'has nothing that axe finds, with all rows open, in %s',
    async (scheme) => {
      const { page } = await browser().open(text, { colorScheme: scheme, bypassCSP: true })
      await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true')
      expect(await axeFinds(page)).toEqual([])
    },
  )

  it('has nothing that axe finds, on a phone', async () => {
    const { page } = await browser().open(text, { viewport: { width: 360, height: 700 }, bypassCSP: true })
    await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true')
    expect(await axeFinds(page)).toEqual([])
  })

  it('says all without scripts', async () => {
    const watched = await browser().open(text, { javaScriptEnabled: false })
    const { page } = watched
    const row = page.locator('#rows > tbody > tr').first()
    expect(await page.locator('#filters, #theme').evaluateAll((all) => all.length)).toBe(2)
    expect(await page.locator('#filters').isVisible()).toBe(false)
    expect(await page.locator('#theme').isVisible()).toBe(false)
    expect(await row.locator('.details').isVisible()).toBe(false)
    await row.locator('summary').click()
    expect(await row.locator('.details').isVisible()).toBe(true)
    expect(watched.requests).toEqual([])
  })
})

it.each(['light', 'dark'] as const)(
  'the page of a failure has nothing that axe finds, in %s',
  async (scheme) => {
    const { page } = await browser().open(FAILED_PAGE, { colorScheme: scheme, bypassCSP: true })
    expect(await axeFinds(page)).toEqual([])
  },
)

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly target: unknown }[]
}

/** The accessibility rules that a page breaks, with each place. */
const axeFinds = async (page: Page): Promise<string[]> => {
  await page.evaluate(readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8'))
  const { violations } = (await page.evaluate('axe.run()')) as { violations: readonly Violation[] }
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${JSON.stringify(target)}`))
}

describe('the policy of the page', () => {
  it('runs no script that came in later', async () => {
    const { page, complaints } = await browser().open(PAGES.drift)
    // A policy is tested from inside: it refuses an element that a script of the test makes.
    await page.evaluate(`(() => {
      const script = document.createElement('script')
      try { script.textContent = 'document.title = "run"' } catch {}
      script.append('document.title = "run"')
      document.body.append(script)
      document.body.setAttribute('style', 'color: red')
      document.body.append(Object.assign(document.createElement('img'), { src: 'https://example.com/x' }))
    })()`)
    expect(await page.title()).toContain('3 things drifted, 1 may have been changed')
    expect(complaints.join('\n')).toMatch(/script/)
    expect(await page.evaluate('getComputedStyle(document.body).color')).not.toBe('rgb(255, 0, 0)')
  })

  it('runs no script and no handler that stands in the file itself', async () => {
    const { page, requests } = await browser().open(
      PAGES.drift.replace(
        '<main>',
        '<main><script>document.title = "run"</script><img src=x onerror="document.title=1">',
      ),
    )
    expect(await page.title()).toContain('3 things drifted, 1 may have been changed')
    expect(requests).toEqual([])
  })
})

const HOSTILE = {
  'a script': '<script>document.title = "run"</script>',
  'the end of a script': '</script><script>document.title = "run"</script>',
  'the end of a style, and of a section of data': '</style>]]>--><img src=x onerror="document.title = 1">',
  'an address of a script': 'javascript:document.title=1',
  'the end of an attribute': '" onfocus="document.title=1" autofocus x="',
  'the end of a value': "' onmouseover='document.title=1",
  'a turned reading direction': '\u202Egnp.exe\u2066\u061C\u200F\u2028',
  'a character reference': '&lt;b&gt; &#x3C;script&#x3E;',
  'a name of 100 kB': 'x'.repeat(100_000),
}

describe.each(Object.entries(HOSTILE))('%s, as any text of the service', (_, text) => {
  it.each(['plan', 'drift'] as const)('is text in the page of %s', async (report) => {
    const [first] = reportsWith(text)[report]
    const shown =
      report === 'plan'
        ? planPage((first as { document: Parameters<typeof planPage>[0] }).document)
        : driftPage((first as { document: Parameters<typeof driftPage>[0] }).document)
    const { page, requests, complaints } = await browser().open(shown)
    await page.locator('summary').first().click()
    expect(await page.locator('script, style').count()).toBe(2)
    expect(await page.locator('img, iframe, object, [onerror], [onfocus], [autofocus]').count()).toBe(0)
    expect(await page.locator('a[href]:not([href^="#"])').count()).toBe(0)
    expect(await page.title()).not.toMatch(/^(?:run|1)$/)
    expect(await page.locator('#rows').textContent()).not.toMatch(OBEYED)
    expect(requests).toEqual([])
    expect(complaints).toEqual([])
  })
})

it('text of a service keeps its letters', async () => {
  const name = 'a.<b>&"\'</b>'
  const { page } = await browser().open(driftPage(driftOf([resource({ address: name, verdict: 'drifted' })])))
  expect(await page.locator('#rows .at').textContent()).toContain(name)
})
