import { Readable, Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { runHere } from '../../support/command.ts'
import { failing, manifestWith } from '../../support/installation.ts'
import { begin, type Scene } from '../../support/scene.ts'
import { displayWidth } from '../../../reconciler/text/display.ts'

/** A terminal of so many columns, and what is written to it. */
const terminal = (columns: number) => {
  const said = { text: '' }
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      said.text += chunk.toString()
      done()
    },
  })
  return { said, stream: Object.assign(stream, { isTTY: true as const, columns }) }
}

/** Commands and addresses are for copying, and are not wrapped. */
const WHOLE = /→ \d+$|deploymgmt (?:apply|state|plan) |^\S+ +\S+$|^ {2}in sync +\S+$|^ {2}. (?:\w+ +)?\S+$/

/** Lines that are longer than a terminal of so many columns, and that could have been wrapped. */
const tooLong = (text: string, columns: number): string[] =>
  stripVTControlCharacters(text)
    .split(/\r?\n|\r/)
    .filter((line) => displayWidth(line) > columns && !WHOLE.test(line))

const answerNo = () => Object.assign(Readable.from(['no\n']), { isTTY: true as const })

describe.each([60, 80])('a terminal of %i columns', (columns) => {
  const shown = async (here: Scene, ...words: string[]): Promise<string[]> => {
    const [out, err] = [terminal(columns), terminal(columns)]
    await runHere(here, words, { stdout: out.stream, stderr: err.stream })
    return tooLong(`${out.said.text}\n${err.said.text}`, columns)
  }

  it('gets no longer lines of what is planned, applied, found and listed', async () => {
    const here = await begin({
      manifest: manifestWith().replace('alertTypeNames: [HOST', 'alertTypeNames: [HOSTT, HOST'),
    })
    for (const words of [
      ['plan'],
      ['apply', '--auto-approve'],
      ['plan'],
      ['drift', '--all'],
      ['state', 'list'],
    ])
      expect(await shown(here, ...words)).toEqual([])
    await failing(here, 'PATCH', 'alertConfigs', { fault: 'status', status: 400 })
    await here.manifest(manifestWith().replaceAll('enabled: true', 'enabled: false'))
    expect(await shown(here, 'apply', '--auto-approve')).toEqual([])
  })

  it('gets no longer lines on stderr either where stdout leads elsewhere', async () => {
    const here = await begin({ manifest: manifestWith() })
    await failing(here, 'PATCH', 'alertConfigs', { fault: 'status', status: 400 })
    const err = terminal(columns)
    const { stdout } = await runHere(here, ['apply', '--auto-approve'], { stderr: err.stream })
    expect(tooLong(err.said.text, columns)).toEqual([])
    // If output does not go to a terminal, lines are as long as prose may be.
    expect(tooLong(stdout, columns).length).toBeGreaterThan(0)
  })

  it('gets no longer lines of errors, and commands in them are not broken', async () => {
    const here = await begin({ manifest: manifestWith() })
    await here.run('apply', '--auto-approve')
    for (const words of [
      ['plan', '--state', 'elsewhere.json', '--target', 'users.nobody'],
      ['state', 'forget', 'users.nobody'],
      ['adopt', '--project', 'nowhere'],
      ['apply', '--auto-approve', '--expect-sha256', 'a'.repeat(64)],
    ])
      expect(await shown(here, ...words)).toEqual([])
    const err = terminal(columns)
    const env = { PATH: here.env['PATH'] ?? '' }
    await runHere({ ...here, env }, ['plan', '--local'], { stderr: err.stream })
    await runHere({ ...here, env }, ['apply'], { stderr: err.stream })
    expect(tooLong(err.said.text, columns)).toEqual([])
    const { stderr } = await runHere({ ...here, env }, ['apply'])
    // Elsewhere an error has as many lines as it has parts.
    expect(tooLong(stderr, columns).length).toBeGreaterThan(0)
    expect(err.said.text.replaceAll(/\s+/g, ' ')).toContain(stderr.trim().replaceAll(/\s+/g, ' '))
  })

  it('gets no longer question than fits', async () => {
    const here = await begin({ manifest: manifestWith() })
    const err = terminal(columns)
    await runHere(here, ['apply'], { stderr: err.stream, stdin: answerNo })
    const [question = ''] = err.said.text.split('Error DM-')
    expect(question.replaceAll(/\s+/g, ' ')).toContain('? Only "yes" is accepted: ')
    expect(tooLong(question, columns)).toEqual([])
  })
})

/** The duration of a command differs each time. */
const untimed = (text: string): string => text.replaceAll(/\d+\.\d\d s\b/g, 'a while')

it('a terminal that says its width is 0 gets the same lines as where there is none', async () => {
  const here = await begin({
    manifest: manifestWith().replace('alertTypeNames: [HOST', 'alertTypeNames: [HOSTT, HOST'),
  })
  const [out, err] = [terminal(0), terminal(0)]
  await runHere(here, ['plan'], { stdout: out.stream, stderr: err.stream })
  const { stdout, stderr } = await here.run('plan')
  expect(untimed(stripVTControlCharacters(out.said.text))).toBe(untimed(stdout))
  expect(stripVTControlCharacters(err.said.text)).toContain(stderr.trimEnd())
})

it('a warning of a manifest stays a line where no terminal shows it', async () => {
  const here = await begin({
    manifest: manifestWith().replace('alertTypeNames: [HOST', 'alertTypeNames: [HOSTT, HOST'),
  })
  const { stderr } = await here.run('plan')
  expect(stderr).toMatch(
    /^deploymgmt\.yaml:\d+:\d+ {2}warning: .*, so it is sent as it is; did you mean HOST\?$/m,
  )
})
