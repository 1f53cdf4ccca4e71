/**
 * Pictures of drift reports for the docs, as a page and as Markdown: the quickstart against the embedded service,
 * changes behind its back, and the built command's reports, in a real browser. Run by `npm run pictures`; the
 * pictures contain the date of that day.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { createClient } from '@deploymgmt/provider/api'
import MarkdownIt from 'markdown-it'
import { startBrowser } from '../test/support/chromium.ts'
import { scriptArguments } from './script-arguments.ts'

const root = join(import.meta.dirname, '..')
const command = join(root, 'reconciler', 'bin', 'deploymgmt.cjs')
const quickstart = join(root, 'examples', 'quickstart')
const images = join(root, 'docs', 'images')
const PROJECT = '5c8100bcf2a30b12ff88258f'
const ORGANIZATION = '5980cfdf0b6d97029d82f86e'
const SIZE = { width: 1200, height: 1240 }

/** An approximation of how a forge shows a comment. */
const COMMENT = `<!doctype html><meta charset="utf-8"><style>
  body { font: 15px/1.5 system-ui, sans-serif; color: #1f2328; max-width: 800px; margin: 24px auto; }
  table { border-collapse: collapse; margin: 12px 0 } th, td { border: 1px solid #d1d9e0; padding: 5px 12px; text-align: left }
  code { font: 13px ui-monospace, monospace; background: #f0f1f3; padding: 2px 5px; border-radius: 5px }
  pre { background: #f6f8fa; padding: 12px; border-radius: 6px; overflow: auto } pre code { background: none; padding: 0 }
</style>`

const main = async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'deploymgmt-pictures-'))
  const fixture = join(quickstart, 'fixture.yaml')
  const service = spawn(process.execPath, [command, 'serve', '--format', 'json', '--fixture', fixture], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await copyFile(join(quickstart, 'deploymgmt.yaml'), join(folder, 'deploymgmt.yaml'))
    await mkdir(images, { recursive: true })
    await reportsIn(folder, await addressOf(service))
    await show(folder)
  } finally {
    service.kill('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  }
}

/** Applies, changes things from outside, and writes the reports. */
const reportsIn = async (folder: string, baseUrl: string): Promise<void> => {
  const env = {
    ...process.env,
    DEPLOYMGMT_BASE_URL: baseUrl,
    DEPLOYMGMT_PUBLIC_KEY: 'ciadmin',
    DEPLOYMGMT_PRIVATE_KEY: '9d2c2a3e-quickstart-key',
    DANA_INITIAL_PASSWORD: 'Correct-Horse-7',
  }
  const run = (...words: string[]): void => {
    execFileSync(process.execPath, [command, ...words], {
      cwd: folder,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
  }
  run('state', 'init')
  run('apply', '--auto-approve')
  await changeBehindItsBack(baseUrl)
  try {
    run('drift', '--format', 'html=drift.html', '--format', 'markdown=drift.md')
  } catch (error) {
    // Exit code 2 is the expected drift.
    if ((error as { status?: number }).status !== 2) throw error
  }
}

const changeBehindItsBack = async (baseUrl: string): Promise<void> => {
  const client = createClient({ baseUrl, publicKey: 'oncall', privateKey: '1f2e3d4c-quickstart-key' })
  await client.send('PATCH', `/groups/${PROJECT}/alertConfigs/5d1113b25a115342acc2d1aa`, { enabled: true })
  await client.send('PATCH', `/orgs/${ORGANIZATION}/apiKeys/5c47503320eef5699e1cce8f`, {
    roles: ['ORG_OWNER'],
  })
  await client.send('POST', `/groups/${PROJECT}/maintenanceWindows/`, {
    alertTypeNames: ['HOST'],
    startDate: '2035-01-01T00:00:00Z',
    endDate: '2036-01-01T00:00:00Z',
  })
  await client.close()
}

const addressOf = async ({ stdout }: ChildProcess): Promise<string> => {
  if (stdout === null) throw new Error('the service has no output')
  for await (const line of createInterface({ input: stdout }))
    return (JSON.parse(line) as { baseUrl: string }).baseUrl
  throw new Error('the service ended before it was ready')
}

/** The page with its first row open, and the Markdown at about the width of a comment. */
const show = async (folder: string): Promise<void> => {
  const browser = await startBrowser()
  const address = pathToFileURL(join(folder, 'drift.html')).href
  try {
    const comment = await browser.newPage({ viewport: { width: 900, height: 600 } })
    const markdown = await readFile(join(folder, 'drift.md'), 'utf8')
    await comment.setContent(`${COMMENT}${new MarkdownIt({ html: true, linkify: true }).render(markdown)}`)
    await comment.locator('details').first().click()
    await comment.screenshot({ path: join(images, 'drift-comment.png'), fullPage: true })
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ viewport: SIZE, colorScheme })
      await page.goto(address)
      await page.locator('#rows summary').first().click()
      await page.locator('#told').getByText('rows').waitFor()
      await page.mouse.move(0, 0)
      await page.screenshot({ path: join(images, `drift-report-${colorScheme}.png`) })
    }
  } finally {
    await browser.close()
  }
}

// It has none, and would overwrite the pictures.
scriptArguments('npm run pictures', () => parseArgs({}))
await main()
