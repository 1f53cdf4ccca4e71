import { expect } from 'vitest'
import type { Act } from '../known/acts.ts'
import { PROJECTS } from '../known/declared.ts'
import { knownBeside } from '../known/neighbour.ts'
import type { Oracle } from '../known/oracle.ts'
import { silencedIn } from '../known/silenced.ts'
import { idsIn, isCreation } from '../known/strangers.ts'
import { count } from '../tally.ts'
import { lostIn, type Ended, type World } from '../world.ts'

/** Nothing is made in a project where the same key has made something that nobody knows: it could be the same thing. */
export const checkNotBeside = async (
  world: World,
  { setBack }: Oracle,
  { number }: Pick<Ended, 'number'>,
  strangers: readonly Act[],
): Promise<void> => {
  // By a time that was lived twice, strangers may seem too old to matter.
  if (setBack !== undefined) return
  const made = world.actsOf(number).filter(isCreation)
  if (made.length === 0) return
  // A lost creation may have been settled with one of them.
  const recorded = await idsIn(world)
  const left = strangers.filter(({ id }) => !recorded.has(id)).map(({ parent }) => parent)
  expect(
    made.filter(({ parent }) => left.includes(parent)),
    'made beside what nobody knows',
  ).toEqual([])
}

/** What is called a stranger was made with the key, is not over according to events, and was never known. */
export const checkStrangers = async (
  world: World,
  oracle: Oracle,
  { strangers, exitCode }: { readonly strangers: readonly any[]; readonly exitCode: number },
): Promise<void> => {
  expect(exitCode).toBe(3)
  const recorded = await idsIn(world)
  const beside = await knownBeside(oracle)
  const silenced = silencedIn(world, oracle)
  for (const { identity } of strangers) {
    const acts = world.service.acts.filter(({ id }) => id === identity.id)
    // A lost silence is forgotten after its end, even if somebody else has prolonged it meanwhile.
    const ourEnd = acts.findLast(({ by: whose }) => whose === 'run')?.after?.endDate
    const isForgotten = oracle.isSilenceLost && Date.parse(ourEnd) < world.now
    if (!isForgotten) expect([...silenced], 'a stranger').not.toContain(identity.id)
    const by = acts.find(isCreation)?.by
    // Without their raw documents, events tell no end: what is over stays a stranger until it is disowned.
    const tellsEnds = world.settings['open.rawDocument'] !== 'empty'
    const isOver = tellsEnds && acts.every(({ after }) => Date.parse(after.endDate) <= world.now - 3_000)
    const isKnown = [recorded, oracle.disowned, beside].some((known) => known.has(identity.id))
    // A lost creation of ours may count as not made.
    const isPossible = by === 'twin' || (by === 'run' && (oracle.isUncertain || isForgotten))
    const { projectId } = identity
    expect({ identity, by, isPossible, isOver, isKnown, projects: Object.values(PROJECTS) }).toMatchObject({
      isPossible: true,
      isOver: false,
      isKnown: false,
      projects: expect.arrayContaining([projectId]),
    })
  }
}

/** A person disowns them, by their ids or all at once; returns whether that was possible. */
export const disown = async (
  world: World,
  oracle: Oracle,
  strangers: readonly { readonly identity: { readonly id: string } }[],
): Promise<boolean> => {
  const named = strangers.map(({ identity }) => identity.id)
  // Chosen by what cannot differ if the history is repeated.
  const isAll = world.service.acts.length % 2 === 0
  const lost = (await lostIn(world)).filter(({ method }) => method === 'POST')
  const ended = await world.json(['state', 'disown', ...(isAll ? ['--everything'] : named)])
  const { code, said, number } = ended
  expect(world.actsOf(number)).toEqual([])
  count(`state disown${isAll ? ' --everything' : ''}: exit ${code}`)
  // One of them may be what a lost creation of ours has made.
  expect({ code, said }).toMatchObject({ code: lost.length > 0 ? 3 : 0 })
  if (lost.length > 0) return false
  const ids = isAll ? await disownedBy(world, oracle, ended, named) : named
  for (const id of ids) {
    oracle.disowned.add(id)
    oracle.left.add(id)
  }
  return true
}

/** What all at once has disowned: at least what was shown, and nothing that belongs to the manifest. */
const disownedBy = async (
  world: World,
  oracle: Oracle,
  { document }: Ended,
  named: readonly string[],
): Promise<string[]> => {
  const done = [document.done ?? []].flat().join(' ')
  const ids: string[] = done.match(/\b[0-9a-f]{24}\b/gu) ?? []
  const recorded = await idsIn(world)
  const silenced = silencedIn(world, oracle)
  const ours = world.service.acts.filter((act) => act.by === 'run' && isCreation(act)).map(({ id }) => id)
  expect(ids, 'disowned').toEqual(expect.arrayContaining([...named]))
  const isOurs = (id: string): boolean =>
    recorded.has(id) || silenced.has(id) || (!oracle.isUncertain && ours.includes(id))
  expect(ids.filter(isOurs), 'disowned, and ours').toEqual([])
  return ids
}
