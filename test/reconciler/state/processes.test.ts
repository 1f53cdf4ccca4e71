import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { initState, openSession, readSession, thisHost } from '../../../reconciler/state/index.ts'
import { Child } from './support/child.ts'
import { statePathIn, temporaryFolder } from './support/folder.ts'
import { expected } from './support/samples.ts'

const contest = async (children: readonly Child[]) => {
  for (const child of children) child.say('go')
  const lines = await Promise.all(children.map((child) => child.line()))
  const winner = children.findIndex((_, index) => lines[index] !== 'DM-STATE-LOCKED')
  const results = lines.map(String).toSorted()
  return { results, winner: children[winner], losers: children.toSpliced(winner, 1) }
}

test('of processes that race for a lock one wins, and of those that race for a dead one also one', async () => {
  const folder = await temporaryFolder()
  const path = statePathIn(folder)
  const children = Array.from({ length: 5 }, () => new Child('lock-child.ts', path))
  await Promise.all(children.map((child) => child.line()))
  const first = await contest(children)
  expect(first.results).toStrictEqual([...Array<string>(4).fill('DM-STATE-LOCKED'), 'won'])
  await first.winner?.kill()
  const second = await contest(first.losers)
  expect(second.results).toStrictEqual([...Array<string>(3).fill('DM-STATE-LOCKED'), 'took over'])
  await second.winner?.kill()
  const third = await contest(second.losers)
  expect(third.results).toStrictEqual([...Array<string>(2).fill('DM-STATE-LOCKED'), 'took over'])
  expect(await readdir(folder)).toStrictEqual(['deploymgmt.state.json.lock'])
})

test.skipIf(process.platform !== 'linux')(
  'a process that has ended and was not collected is dead',
  async () => {
    const child = new Child('zombie-parent.sh')
    const pid = Number(await child.line())
    // It ends by itself; this would loop forever if a zombie counted as running.
    while (await thisHost.isRunning(pid, undefined));
    expect(await readFile(`/proc/${pid}/stat`, 'latin1')).toContain(') Z ')
  },
)

test.each([1, 37, 90])('a process killed after %i recorded answers has lost none of them', async (enough) => {
  const options = { statePath: statePathIn(await temporaryFolder()), expect: expected, command: 'apply' }
  await initState(options)
  const child = new Child('journal-child.ts', options.statePath)
  const seen = { sent: new Set<string>(), recorded: new Set<string>() }
  const note = (line: string | undefined) => {
    const [what, address] = line?.split(' ') ?? []
    if (address !== undefined) seen[what === 'sent' ? 'sent' : 'recorded'].add(address)
    return line !== undefined
  }
  while (seen.recorded.size < enough && note(await child.line()));
  await child.kill()
  while (note(await child.line()));
  const read = await readSession(options)
  expect(read.busy).toBeUndefined()
  const session = await openSession(options)
  const known = new Set(Object.keys(session.state.resources))
  const unknown = new Set(session.unknown.map(({ address }) => address))
  expect([...seen.recorded].filter((address) => !known.has(address))).toStrictEqual([])
  expect([...seen.sent].filter((address) => !known.has(address) && !unknown.has(address))).toStrictEqual([])
  expect([...unknown].filter((address) => known.has(address))).toStrictEqual([])
  expect(session.notices[0]).toContain('Took over the lock of "apply"')
  expect({ state: read.state, unknown: read.unknown }).toStrictEqual({
    state: session.state,
    unknown: session.unknown,
  })
  await session.close()
})
