import { createServer } from 'node:net'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type ServiceStartErrorCode, serviceStartErrorCodes, startService } from '@deploymgmt/service'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runHere } from '../support/command.ts'
import { listen } from '../support/listen.ts'
import { codeIn, expectOwnWords } from './support/told.ts'

/** The command line that is refused, and what the message has to contain. */
interface Refused {
  readonly words: (folder: string) => Promise<string[]>
  readonly names: RegExp
}

const written = async (path: string, text: string): Promise<string> => {
  await writeFile(path, text)
  return path
}
const takenPort = async (): Promise<number> => {
  const server = createServer()
  onTestFinished(() => void server.close())
  return listen(server)
}
const SECRET_KEY = 'organizations: [{ apiKeys: [{ privateKey: start-canary, publicKey: 7 }] }]'

const REFUSED: Readonly<Record<ServiceStartErrorCode, Refused>> = {
  'DM-SERVE-SETTING': {
    words: async () => ['--set', 'open.digset=op'],
    names: /"open\.digset": did you mean open\.digest\?/,
  },
  'DM-SERVE-FIXTURE': {
    words: async (folder) => ['--fixture', await written(join(folder, 'fixture.yaml'), SECRET_KEY)],
    names: /\n {2}\/.*fixture\.yaml:1:\d+ {2}organizations\[0\]\.apiKeys\[0\]\.publicKey: must be a string/,
  },
  'DM-SERVE-FIXTURE-FILE': {
    words: async (folder) => ['--fixture', join(folder, 'nowhere.yaml')],
    names: /nowhere\.yaml/,
  },
  'DM-SERVE-HOST': { words: async () => ['--host', '0.0.0.0'], names: /0\.0\.0\.0.*--allow-remote/ },
  'DM-SERVE-PORT': {
    words: async () => ['--port', String(await takenPort())],
    names: /^Error .*: port \d+ on 127\.0\.0\.1 is taken/,
  },
  'DM-SERVE-DATA': {
    words: async (folder) => ['--data', join(folder, 'nowhere', 'data.sqlite')],
    names: /nowhere\/data\.sqlite/,
  },
  'DM-SERVE-DATA-CORRUPT': {
    words: async (folder) => ['--data', await written(join(folder, 'data.sqlite'), 'no database')],
    names: /data\.sqlite is damaged/,
  },
  'DM-SERVE-DATA-VERSION': {
    words: async (folder) => {
      const other = new DatabaseSync(join(folder, 'other.sqlite'))
      other.exec('CREATE TABLE other (x)')
      other.close()
      return ['--data', join(folder, 'other.sqlite')]
    },
    names: /other\.sqlite/,
  },
  'DM-SERVE-DATA-IN-USE': {
    words: async (folder) => {
      const data = join(folder, 'data.sqlite')
      const running = await startService({ data })
      onTestFinished(() => running.close())
      return ['--data', data]
    },
    names: /data\.sqlite is in use/,
  },
}

describe('deploymgmt serve', () => {
  it.each(serviceStartErrorCodes)('refuses to start with %s, and says what is at fault', async (code) => {
    const folder = await mkdtemp(join(tmpdir(), 'deploymgmt-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const words = await REFUSED[code].words(folder)
    const ran = await runHere({ folder, env: {} }, ['serve', ...words])
    expect({ exit: ran.code, code: codeIn(ran), stdout: ran.stdout }).toEqual({
      exit: 1,
      code,
      stdout: '',
    })
    expect(ran.stderr).toMatch(new RegExp(`^Error ${code}: \\S`))
    expect(ran.stderr).toMatch(REFUSED[code].names)
    expect(ran.stderr.trimEnd().split('\n').at(-1)).toBe('  Correct what the message names.')
    expect(ran.stderr).not.toContain('canary')
    expectOwnWords(ran)
  })

  it('has a start of each kind that is refused', () => {
    expect(Object.keys(REFUSED).toSorted()).toEqual([...serviceStartErrorCodes].toSorted())
  })
})
