import { expect, test } from 'vitest'
import { runHere } from '../support/command.ts'
import { offeredBy, shells } from '../support/shells.ts'

const completion = (shell: string) => runHere({ folder: import.meta.dirname, env: {} }, ['completion', shell])

test.each(['bash', 'zsh', 'fish'])('there is a completion for %s', async (shell) => {
  const { code, stdout } = await completion(shell)
  expect(code).toBe(0)
  expect(stdout).toContain('unlock')
})

test.each(['tcsh', 'constructor', 'toString'])(
  'there is none for %s, and no defect either',
  async (shell) => {
    const { code, stderr } = await completion(shell)
    expect(code).toBe(1)
    expect(stderr).toContain(`there is no completion for "${shell}"`)
  },
)

const isFlag = (word: string): boolean => word.startsWith('--')
const here = { folder: import.meta.dirname, env: {} }

test.each(shells)(
  '%s offers each command with the flags that its help shows, and nothing else',
  async (shell) => {
    const { stdout: script } = await completion(shell)
    let open: readonly (readonly string[])[] = [[]]
    const seen: string[] = []
    while (open.length > 0) {
      const next: (readonly string[])[] = []
      for (const [index, words] of (await offeredBy(shell, script, open)).entries()) {
        const path = open[index] ?? []
        const { code, stdout } = await runHere(here, [...path, '--help'])
        // What is to be typed stays in one line.
        const wide = stdout.split('\n').filter((line) => line.length > 80 && !line.startsWith('Usage: '))
        expect({ path, code, wide }).toEqual({ path, code: 0, wide: [] })
        const flags = [...stdout.matchAll(/^ {2}(?: {4})?(?:-\w, )?(--[\w-]+)(?:, (--[\w-]+))?/gm)].flatMap(
          ([, flag = '', other]) => (other === undefined ? [flag] : [flag, other]),
        )
        expect({ path, flags: words.filter(isFlag).toSorted() }).toEqual({ path, flags: flags.toSorted() })
        const [, commands = ''] = stdout.split('\nCommands:\n')
        const named = [...commands.matchAll(/^ {2}([a-z_]+)/gm)].map((match) => match[1] ?? '')
        const choices = CHOICES[path.join(' ')] ?? []
        const others = words.filter((word) => !isFlag(word) && !choices.includes(word))
        expect({ path, others: others.toSorted() }).toEqual({ path, others: named.toSorted() })
        seen.push(path.join(' '))
        next.push(...named.filter((name) => name !== 'help').map((name) => [...path, name]))
      }
      open = next
    }
    expect(seen).toEqual(expect.arrayContaining(['state list', 'get alerts', 'drift accept', 'wait agents']))
  },
)
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  schema: ['manifest', 'plan', 'apply', 'drift'],
  completion: ['bash', 'zsh', 'fish'],
}

test.each(shells)(
  '%s offers after help what it takes, and nothing where another command begins',
  async (shell) => {
    const { stdout: script } = await completion(shell)
    const [help, ofState, state, shellNames, behind, plan] = await offeredBy(shell, script, [
      ['help'],
      ['help', 'state'],
      ['state', 'help'],
      ['completion'],
      ['silence', '--max', '1h', '--'],
      ['plan', 'saved.plan'],
    ])
    expect(help).toEqual(expect.arrayContaining(['plan', 'state', 'get']))
    expect(help?.filter(isFlag)).toEqual([])
    expect(ofState).toContain('resolve')
    expect(state).toEqual(ofState)
    expect(shellNames).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']))
    expect(behind).toEqual([])
    expect(plan).toContain('--out')
  },
)

test.each(shells)(
  '%s offers after a flag the values that it takes, otherwise files, and flags again after its value',
  async (shell) => {
    const { stdout: script } = await completion(shell)
    const [ofPlan, ofDrift, unmanaged, file, short, state, shown] = await offeredBy(shell, script, [
      ['plan', '--format'],
      ['drift', '--all', '--format'],
      ['drift', '--unmanaged'],
      ['schema', '--output'],
      ['plan', '-f'],
      ['state', 'show', '--state'],
      ['plan', '--format', 'json'],
    ])
    expect(ofPlan?.toSorted()).toEqual(['html', 'json', 'markdown', 'text'])
    expect(ofDrift).toEqual(expect.arrayContaining(['junit', 'sarif', 'text']))
    expect(unmanaged?.toSorted()).toEqual(['fail', 'off', 'report'])
    for (const offered of [ofDrift, file, short, state])
      expect(offered?.filter((word) => isFlag(word) || word === 'manifest')).toEqual([])
    expect(shown).toContain('--out')
  },
)

test.each(shells)('%s offers the values of flags that take others, too', async (shell) => {
  const { stdout: script } = await completion(shell)
  const [only, types, agents, status, project, template] = await offeredBy(shell, script, [
    ['inventory', '--only'],
    ['silence', '--project', 'payments', '--types'],
    ['get', 'agents', '--type'],
    ['get', 'alerts', '--status'],
    ['get', 'alerts', '--project'],
    ['init', '--template'],
  ])
  expect(only).toEqual(expect.arrayContaining(['alerts', 'agents']))
  expect(only).not.toContain('alert')
  expect(types?.toSorted()).toEqual(['AGENT', 'BACKUP', 'CLUSTER', 'HOST', 'REPLICA_SET'])
  expect(agents?.toSorted()).toEqual(['AUTOMATION', 'BACKUP', 'MONITORING'])
  expect(status?.toSorted()).toEqual(['CLOSED', 'OPEN', 'TRACKING'])
  expect(project?.filter(isFlag)).toEqual([])
  expect(template?.toSorted()).toEqual(['typescript', 'yaml'])
})

test('fish offers a flag only after its own command', async () => {
  const { stdout } = await completion('fish')
  const ends = [...stdout.matchAll(/__deploymgmt_at '([^']*)'" -l everything$/gm)].map(
    (match) => match[1] ?? '',
  )
  expect(ends).toEqual(['state disown', 'silence end'])
})
