/**
 * The main job on one machine: a service with some data, a plan, an apply, a second plan, a change behind
 * its back, and the drift report that names who made it. Run by `npm run quickstart`.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { styleText } from 'node:util'
import { createClient } from '@deploymgmt/provider/api'

const here = import.meta.dirname
const root = join(here, '..', '..')
const folder = join(root, '.deploymgmt', 'quickstart')
/** The command of this checkout, or an executable that is named. */
const [program = '', ...begin] =
  process.env['DEPLOYMGMT_COMMAND'] === undefined
    ? [process.execPath, join(root, 'reconciler', 'bin', 'deploymgmt.cjs')]
    : [process.env['DEPLOYMGMT_COMMAND']]
const manifest = join(folder, 'deploymgmt.yaml')

const isColoured = process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === ''
const say = (text: string): void => {
  process.stdout.write(`\n${isColoured ? styleText('bold', text) : text}\n`)
}

const main = async (): Promise<void> => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await writeFile(manifest, withDatesAhead(await readFile(join(here, 'deploymgmt.yaml'), 'utf8')))
  const words = ['serve', '--format', 'json', '--fixture', join(here, 'fixture.yaml')]
  const service = spawn(program, [...begin, ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    await tour(await readyAddress(service))
  } finally {
    service.kill('SIGTERM')
  }
}

const tour = async (baseUrl: string): Promise<void> => {
  const env = {
    ...process.env,
    DEPLOYMGMT_BASE_URL: baseUrl,
    DEPLOYMGMT_PUBLIC_KEY: 'ciadmin',
    DEPLOYMGMT_PRIVATE_KEY: '9d2c2a3e-quickstart-key',
    DANA_INITIAL_PASSWORD: 'Correct-Horse-7',
  }
  say(`A service with an organization and a project answers at ${baseUrl}.`)
  say('1. What has to change? (+ create, > adopt what exists, - delete)')
  await deploymgmt(env, 'plan')
  say('2. A first state, and the change itself.')
  await deploymgmt(env, 'state', 'init')
  await deploymgmt(env, 'apply', '--auto-approve')
  say('3. Is anything left to do? (? cannot be verified, because nothing returns it)')
  await deploymgmt(env, 'plan')
  say('4. Someone on call switches an alert back with another key, outside of the manifest.')
  await changeBehindItsBack(baseUrl)
  say('5. What is not as it was applied, and who did it?')
  await deploymgmt(env, 'drift')
  say('That was it. To go on by yourself:')
  process.stdout.write(next())
}

const next = (): string => {
  const path = relative(process.cwd(), manifest)
  const place = relative(process.cwd(), join(root, '.deploymgmt', 'next'))
  return `
  npx deploymgmt serve --port 8080 --fixture examples/quickstart/fixture.yaml      # in one terminal

  mkdir -p ${place} && cp ${path} ${place} && cd ${place}     # in another
  export DEPLOYMGMT_BASE_URL=http://127.0.0.1:8080/api/public/v1.0
  export DEPLOYMGMT_PUBLIC_KEY=ciadmin DEPLOYMGMT_PRIVATE_KEY=9d2c2a3e-quickstart-key
  export DANA_INITIAL_PASSWORD=Correct-Horse-7
  npx deploymgmt state init
  npx deploymgmt plan             # then edit deploymgmt.yaml, and plan again
  npx deploymgmt apply
  npx deploymgmt get alert_configurations --project-id 5c8100bcf2a30b12ff88258f
`
}

const deploymgmt = async (env: NodeJS.ProcessEnv, ...words: string[]): Promise<void> => {
  say(`$ deploymgmt ${words.join(' ')}`)
  const child = spawn(program, [...begin, ...words], { env, cwd: folder, stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  // Drift has something to find, and says so with 2.
  if (code !== (words[0] === 'drift' ? 2 : 0))
    throw new Error(`deploymgmt ${words.join(' ')} ended with ${String(code)}`)
}

const changeBehindItsBack = async (baseUrl: string): Promise<void> => {
  const client = createClient({ baseUrl, publicKey: 'oncall', privateKey: '1f2e3d4c-quickstart-key' })
  await client.send('PATCH', '/groups/5c8100bcf2a30b12ff88258f/alertConfigs/5d1113b25a115342acc2d1aa', {
    enabled: true,
  })
  await client.close()
}

const readyAddress = async (service: ChildProcess): Promise<string> => {
  if (service.stdout === null) throw new Error('the service has no output')
  for await (const line of createInterface({ input: service.stdout }))
    return (JSON.parse(line) as { baseUrl: string }).baseUrl
  throw new Error('the service ended before it was ready')
}

/** The example's window lies far ahead, so that it never ages; here it is the Saturday after next. */
const withDatesAhead = (text: string): string => {
  const day = new Date()
  day.setUTCDate(day.getUTCDate() + ((6 - day.getUTCDay() + 7) % 7) + 7)
  return text.replaceAll('2035-01-06', day.toISOString().slice(0, 10))
}

await main()
