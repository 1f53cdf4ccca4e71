import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Ran } from '../../support/command.ts'
import type { Provocation, Scene } from './provocation.ts'

/** What a person reads of an error: its line, and the lines that belong to it. */
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

/** The code on the first line of an error, where what failed is said behind it. */
export const codeIn = (ran: Ran): string | undefined =>
  /^ *Error (DM-[A-Z-]+): \S/.exec(firstError(all(ran))?.headline ?? '')?.[1]

/** What failed is followed by where, and by what to do; findings stand before the line. */
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

/** What is not a defect shows no place in the program, and nothing of the libraries and of Node.js within it. */
export const expectOwnWords = (ran: Ran): void => {
  expect(all(ran)).not.toMatch(/DM-INTERNAL|^ +at .*:\d+:\d+\)?$/m)
  expect(all(ran)).not.toMatch(/node:|Node\.js|openssl|SSL routines|Timeout awaiting|\\u[\da-f]{4}/)
}

/** What a person has written themselves may hold their secrets; what the command writes may not. */
const GIVEN = /\.(?:yaml|key|pem|sqlite.*)$/

/** Every secret of a scene is a canary: none of them sings. */
export const expectNoSecret = async (ran: Ran, { env, folder }: Scene): Promise<void> => {
  expect(Object.values(env).join(' ')).toContain('canary')
  expect(all(ran)).not.toContain('canary')
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const { name, parentPath } of files.filter((file) => file.isFile() && !GIVEN.test(file.name)))
    expect(await readFile(join(parentPath, name), 'utf8')).not.toContain('canary')
}
