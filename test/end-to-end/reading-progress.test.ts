/** The line of a command that reads for longer than a moment. */
import { expect, it } from 'vitest'
import { begin, only, OTHER_PROJECT, twoProjects } from '../support/scene.ts'
import { asOnTerminal } from '../support/terminal.ts'

const BOTH = only(
  'alertConfigurations',
  `
  one: { select: { eventTypeName: HOST_DOWN }, enabled: true }
  two: { projectId: ${OTHER_PROJECT}, select: { eventTypeName: BACKUP }, enabled: true }
`,
)

it.each(['plan', 'drift', 'apply --auto-approve'])(
  'moves while %s reads, and is gone at the end',
  async (words) => {
    const here = await begin({ fixture: twoProjects(), manifest: BOTH, proxied: true })
    const terminal = asOnTerminal(here, ...words.split(' '), '--concurrency', '1')
    let sent = 0
    here.proxy.steer(async (passing, forward) => {
      sent += 1
      if (passing.method === 'GET')
        await terminal.waitFor(`\r\u001B[K${sent} request${sent === 1 ? '' : 's'} · reading`)
      return forward()
    })
    const { shown } = await terminal.ended
    expect(sent).toBeGreaterThan(2)
    const [last = ''] = shown.split(' · reading').slice(-1)
    expect(last.startsWith('\r\u001B[K')).toBe(true)
  },
)

it('does not move on a terminal that knows no control sequences, which gets a line for each thing done', async () => {
  const here = await begin({ fixture: twoProjects(), manifest: BOTH })
  const env = { ...here.env, TERM: 'dumb', NO_COLOR: '' }
  const { shown } = await asOnTerminal({ ...here, env }, 'apply', '--auto-approve').ended
  expect(shown).toMatch(/^ {2}> adopted {3}alertConfigurations\.one/m)
  expect(shown).not.toContain('\r')
  expect(shown).not.toContain('\u001B')
})
