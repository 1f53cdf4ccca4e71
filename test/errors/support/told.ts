import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Ran } from '../../support/command.ts'
import type { Provocation, Scene } from './provocation.ts'

/** An error as a user sees it: its line, and the lines that belong to it. */
interface Message {
  readonly headline: string
  readonly more: readonly string[]
}

const firstError = (said: string): Message | undefined => {
  const lines = said.split('\n')
  const at = lines.findIndex((line) => /^ *Error DM-/.test(line))
  const headline = lines[at]
  if (headline === undefined) return undefined
  const indent = Math.max(2, headline.search(/\S/))
  const rest = lines.slice(at + 1)
  const end = rest.findIndex((line) => line.search(/\S/) < indent)
  return { headline, more: end === -1 ? rest : rest.slice(0, end) }
}

const all = ({ stdout, stderr }: Ran): string => `${stdout}\n${stderr}`

/** The code on the first line of an error, if that line also says what failed. */
export const codeIn = (ran: Ran): string | undefined =>
  /^ *Error (DM-[A-Z-]+): \S/.exec(firstError(all(ran))?.headline ?? '')?.[1]

/** Expects what failed, then where, then what to do; findings come before that line. */
export const expectParts = (ran: Ran, { where, places }: Provocation): void => {
  const said = all(ran)
  const { headline = '', more = [] } = firstError(said) ?? {}
  if (places === 'before') {
    expect(said.slice(0, said.indexOf(headline))).toMatch(where)
    return
  }
  expect([headline, ...more].join('\n')).toMatch(where)
  expect(more.filter((line) => !where.test(line))).not.toEqual([])
}

/** An error that is no defect of ours shows no source location, and no text from libraries or Node.js. */
export const expectOwnWords = (ran: Ran): void => {
  expect(all(ran)).not.toMatch(/DM-INTERNAL|^ +at .*:\d+:\d+\)?$/m)
  expect(all(ran)).not.toMatch(/node:|Node\.js|openssl|SSL routines|Timeout awaiting|\\u[\da-f]{4}/)
}

/** Files that users write may contain their secrets; files that the command writes must not. */
const GIVEN = /\.(?:yaml|key|pem|sqlite.*)$/

/** All secrets of a scene contain "canary", which must not appear in output or files. */
export const expectNoSecret = async (ran: Ran, { env, folder }: Scene): Promise<void> => {
  expect(Object.values(env).join(' ')).toContain('canary')
  expect(all(ran)).not.toContain('canary')
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const { name, parentPath } of files.filter((file) => file.isFile() && !GIVEN.test(file.name)))
    expect(await readFile(join(parentPath, name), 'utf8')).not.toContain('canary')
}
