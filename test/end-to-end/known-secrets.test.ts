import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CI, manifestWith, PASSWORD } from '../support/installation.ts'
import { runHere, type Ran } from '../support/command.ts'
import { begin, only, writesIn } from '../support/scene.ts'

// A secret that is written differently in JSON and in an address.
const KEY = 'canary "key"/0001'
const FORMS = [KEY, JSON.stringify(KEY).slice(1, -1), encodeURIComponent(KEY)]

// Names of data sources are looked up with underscores.
const DASHED = 'Canary-Key-0001'

const isHidden = ({ code, stdout, stderr }: Ran): boolean => {
  const said = stdout + stderr
  return code === 1 && said.includes('(hidden)') && !FORMS.some((form) => said.includes(form))
}

const COMMANDS = [
  ['validate', '-f', KEY],
  ['get', 'alerts', '--project-id', KEY],
  ['plan', '--target', KEY],
  ['plan', '--var', `${KEY}=1`],
  ['state', 'show', KEY],
  ['state', 'mv', KEY, 'users.a'],
  ['state', 'resolve', '--from', KEY],
  ['apply', KEY],
  ['apply', '--expect-sha256', KEY],
  ['plan', '--format', KEY],
  [KEY],
]

describe('the private key', () => {
  it.each(COMMANDS)('is not shown where it stands among the words: %s %s', async (...words) => {
    const { folder, env } = await begin({ manifest: manifestWith() })
    const place = { folder, env: { ...env, DEPLOYMGMT_PRIVATE_KEY: KEY } }
    expect(await runHere(place, words)).toSatisfy(isHidden)
    expect(await runHere(place, [...words, '--format', 'json'])).toSatisfy(isHidden)
  })

  it.each([
    ['get', DASHED],
    ['get', `${DASHED}x`],
  ])('is not shown where a word is looked for in another spelling: %s %s', async (...words) => {
    const { folder, env } = await begin({ manifest: manifestWith() })
    const place = { folder, env: { ...env, DEPLOYMGMT_PRIVATE_KEY: DASHED } }
    const { code, stdout, stderr } = await runHere(place, words)
    expect({ code, said: stdout + stderr }).toMatchObject({
      code: 1,
      said: expect.stringContaining('(hidden)'),
    })
    expect((stdout + stderr).toLowerCase()).not.toMatch(/canary.key/)
  })

  it('is not shown in an address of the service', async () => {
    const { folder, env, baseUrl } = await begin({ manifest: manifestWith() })
    const base = { ...env, DEPLOYMGMT_PRIVATE_KEY: KEY, DEPLOYMGMT_BASE_URL: `${baseUrl}?k=${KEY}` }
    const { stdout, stderr } = await runHere({ folder, env: base }, ['plan'])
    expect(stderr).toContain('DM-BASE-URL')
    expect(stdout + stderr).not.toContain(KEY)
  })

  it.each(['validate -f x.yaml', 'state resolve --from x.yaml'])(
    'is not shown where a file holds it: %s',
    async (line) => {
      const here = await begin()
      const words = line.split(' ')
      await writeFile(join(here.folder, 'x.yaml'), `key: ${CI.privateKey}\n`)
      await writeFile(join(here.folder, 'key'), `${CI.privateKey}\n`)
      const { DEPLOYMGMT_PRIVATE_KEY: _, ...others } = here.env
      const env = { ...others, DEPLOYMGMT_PRIVATE_KEY_FILE: join(here.folder, 'key') }
      for (const known of [here.env, env]) {
        const ran = await runHere({ folder: here.folder, env: known }, words)
        expect(ran.code).toBe(1)
        expect(ran.stderr).toContain('********')
        expect(ran.stdout + ran.stderr).not.toContain(CI.privateKey)
      }
    },
  )

  it('is not written to the file of --output', async () => {
    const here = await begin({ manifest: manifestWith() })
    const env = { ...here.env, DEPLOYMGMT_PRIVATE_KEY: 'maintenanceWindows' }
    expect(await runHere({ ...here, env }, ['validate', '--output', 'said'])).toMatchObject({ code: 0 })
    expect(await readFile(join(here.folder, 'said'), 'utf8')).not.toContain('maintenanceWindows')
  })
})

describe('a short password', () => {
  it.each(['plan', 'apply'])('is refused where it is also a whole declared value: %s', async (command) => {
    const here = await begin({ manifest: manifestWith() })
    const env = { ...here.env, DANA_INITIAL_PASSWORD: 'Dana' }
    const ran = await runHere({ ...here, env }, [command])
    expect(ran).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('users.dana.firstName is the value'),
    })
  })

  it('can be a part of other words', async () => {
    const here = await begin({ manifest: manifestWith() })
    const env = { ...here.env, DANA_INITIAL_PASSWORD: 'ana' }
    expect(await runHere({ ...here, env }, ['plan'])).toMatchObject({ code: 0 })
  })
})

describe('a list of decisions', () => {
  const nothing = /canary|hunter/

  it('is not the file of the private key, whatever is in it', async () => {
    const here = await begin({ manifest: manifestWith() })
    const file = join(here.folder, 'key')
    await writeFile(file, 'hunter2: hunter2\n- hunter2\n')
    const { DEPLOYMGMT_PRIVATE_KEY: _, ...others } = here.env
    const env = { ...others, DEPLOYMGMT_PRIVATE_KEY_FILE: file }
    const ran = await runHere({ folder: here.folder, env }, ['state', 'resolve', '--from', 'key'])
    expect(ran).toMatchObject({ code: 1 })
    expect(ran.stderr).toContain('this is the private key file, not a list of decisions')
    expect(ran.stderr).not.toMatch(nothing)
  })

  it.each(['hunter2-9d2c', '@hunter2', '- hunter2', '"hunter2', '[hunter2'])(
    'that is a password shows nothing of it: %s',
    async (text) => {
      const here = await begin({ manifest: manifestWith() })
      await writeFile(join(here.folder, 'password'), text)
      const ran = await here.run('state', 'resolve', '--from', 'password')
      expect(ran).toMatchObject({ code: 1 })
      expect(ran.stderr).toContain('DM-DECISIONS')
      expect(ran.stderr).not.toMatch(nothing)
    },
  )
})

const window = (description: string): string =>
  only(
    'maintenanceWindows',
    `  w: { alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z, description: ${description} }`,
  )

describe('the value of a secret as another value', () => {
  const cases: [what: string, manifest: string, path: string][] = [
    ['the private key', window(CI.privateKey), 'maintenanceWindows.w.description'],
    ['a text with the private key', window(`see ${CI.privateKey}`), 'maintenanceWindows.w.description'],
    ['a password', manifestWith().replace('Dana\n', `${PASSWORD}\n`), 'users.dana.firstName'],
    [
      'an item of a list',
      only(
        'alertConfigurations',
        `  a: { select: { matchers: [{ fieldName: HOSTNAME, operator: EQUALS, value: ${CI.privateKey} }] }, enabled: true }`,
      ),
      'alertConfigurations.a.select.matchers[0].value is',
    ],
  ]

  it.each(cases)(
    'is an error at its place in plan and apply, and sends nothing: %s',
    async (_, text, path) => {
      const here = await begin({ manifest: text })
      expect(text).toMatch(/canary/)
      for (const words of [
        ['plan', '--out', 'plan.bin'],
        ['apply', '--auto-approve'],
      ]) {
        const { code, stdout, stderr } = await here.run(...words)
        expect(code).toBe(1)
        expect(stderr).toMatch(/DM-SECRET: .* is the value of a secret/)
        expect(stderr).toContain(path)
        expect(stderr).toMatch(/deploymgmt\.yaml:\d+:\d+/)
        expect(stdout + stderr).not.toContain('canary')
      }
      expect(await writesIn(here)).toEqual([])
    },
  )
})
