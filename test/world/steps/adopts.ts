import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect } from 'vitest'
import { checkUnmanaged } from '../checks/check-unmanaged.ts'
import { idAt } from '../checks/check-apply.ts'
import { manifestOf, type Declared } from '../known/declared.ts'
import { LEDGER, PROJECT } from '../fixture.ts'
import { knownBeside } from '../known/neighbour.ts'
import { isSure, type Oracle } from '../known/oracle.ts'
import { strangersTo } from '../known/strangers.ts'
import { step, type Step } from './step.ts'
import { count } from '../tally.ts'
import { recordsOf, truthOf, type World } from '../world.ts'

/** What each run is told besides. */
const WAYS = {
  '': [],
  ', a file for each project': ['--split'],
  ', from one project': ['--project', 'payments'],
  ', except integrations': ['--except', 'integrations.*'],
} as const
type Way = keyof typeof WAYS

interface Adopted {
  /** The flags that name all manifests. */
  readonly files: readonly string[]
  /** What was written. */
  readonly text: string
}

const adoptIn = async (there: World, words: readonly string[]): Promise<Adopted> => {
  const state = there.place?.address ?? 'deploymgmt.state.json'
  const { code, stderr, number } = await there.run(['adopt', '--state', state, ...words])
  expect({ code, stderr, acts: there.actsOf(number) }).toEqual({ code: 0, stderr, acts: [] })
  const written = (await readdir(there.folder)).filter((name) => name.startsWith('deploymgmt.adopted'))
  const texts = written.map((name) => readFile(join(there.folder, name), 'utf8'))
  const own = there.isLayered ? [] : ['--file', 'deploymgmt.yaml']
  const files = written.length === 0 ? [] : [...own, ...written.flatMap((name) => ['--file', name])]
  return { files, text: (await Promise.all(texts)).join('') }
}

/** What another manifest knows is not written, and what the key has made and nobody knows is. */
const checkText = async (
  { text, isWhole }: Pick<Adopted, 'text'> & { readonly isWhole: boolean },
  oracle: Oracle,
  there: World,
  strangers: readonly { readonly id: string; readonly parent: string }[],
): Promise<void> => {
  const beside = [...(await knownBeside(oracle))]
  expect(
    beside.filter((id) => text.includes(id)),
    'written, and known to another manifest',
  ).toEqual([])
  const { windows } = truthOf(there)
  const meant = strangers.filter(({ id, parent }) => windows.has(id) && parent === PROJECT)
  count(`adopt: ${meant.length > 0 ? 'strangers' : 'nobody'} to be written`)
  expect(
    meant.filter(({ id }) => !text.includes(id)),
    'made with the key, known to nobody, and not written',
  ).toEqual([])
  if (!isWhole) expect(text).not.toContain(LEDGER)
}

/**
 * Runs `adopt` in a copy of the checkout, whatever has happened so far: it writes nothing to the service, and declares
 * and records everything that lists show. With its files, a plan would send the same as without.
 */
const adopt = async (oracle: Oracle, world: World, way: Way): Promise<void> => {
  const there = await world.copied()
  await there.manifest(manifestOf(oracle.declared))
  const since = there.now
  const before = await there.json(['plan', '--all'])
  const strangers = await strangersTo(there, oracle)
  const adopted = await adoptIn(there, WAYS[way])
  const { files } = adopted
  await checkText({ ...adopted, isWhole: way !== ', from one project' }, oracle, there, strangers)
  const { document } = await there.json(['plan', '--all', ...files])
  // An event that became readable since then would have changed a plan without the file, too.
  const isToldSince = there.service.acts.some(({ seenFrom }) => seenFrom > since && seenFrom <= there.now)
  if (!isToldSince) expect(sentBy(document)).toEqual(sentBy(before.document))
  const known = new Set(before.document.changes.map(({ address }: any) => address))
  const added = document.changes.filter(({ address }: any) => !known.has(address))
  count(`adopt${way}: ${added.length} added`)
  expect(added.filter(({ action }: any) => action !== 'unchanged')).toEqual([])
  const lookedAt = there.now
  const { document: report } = await there.json(['drift', ...files])
  // What was left out is still nobody's, and what was written is somebody's.
  // A copy lacks the journal of a silence that was killed.
  if (!oracle.isSilenceLost) await checkUnmanaged(there, oracle, report, lookedAt)
  const isLeft = way === ', except integrations'
  expect(report.unmanaged.filter((each: any) => isListed(each) && !(isLeft && isIntegration(each)))).toEqual(
    [],
  )
  if (isLeft) expect(added.filter(({ address }: any) => address.startsWith('integrations.'))).toEqual([])
}

const isIntegration = ({ section }: any): boolean => section === 'integrations'

/** What nobody declares, in a list of the project that the manifest names. */
const isListed = ({ section, identity }: any): boolean =>
  ['alertConfigurations', 'integrations'].includes(section) && identity.projectId === PROJECT

const sentBy = ({ changes }: any): readonly unknown[] =>
  changes.flatMap(({ address, action, requests }: any) =>
    requests.length > 0 ? [{ address, action, requests }] : [],
  )

/** A manifest that has lost what lists show. */
const lean = (declared: Declared): Declared => ({
  ...declared,
  configs: {},
  selected: undefined,
  chat: undefined,
})

/** What was lost from the manifest and is still recorded is written anew, as it is there: nothing is released or set. */
const adoptAgain = async (oracle: Oracle, world: World): Promise<void> => {
  const there = await world.copied()
  await there.manifest(manifestOf(lean(oracle.declared)))
  const { files } = await adoptIn(there, ['--again'])
  const { document } = await there.json(['plan', '--all', ...files])
  const records = await recordsOf(there)
  const sent = document.changes.filter(
    ({ address, requests, action }: any) =>
      // What is not there cannot be adopted, and what only a rule is about is still declared.
      records[address]?.absent !== true &&
      /^(?:alertConfigurations|integrations\.(?!listed))/u.test(address) &&
      (requests.length > 0 || action === 'release'),
  )
  const lists = Object.keys(records).filter((address) => address.startsWith('alertConfigurations.'))
  count(`adopt --again: ${lists.length > 0 ? 'configurations' : 'no configurations'} recorded`)
  expect(
    sent.map(({ address, action }: any) => [address, action, idAt(records, address)]),
    'not as it was',
  ).toEqual([])
}

export const adopts: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .constantFrom<Way>('', ', a file for each project', ', from one project', ', except integrations')
      .map((way) =>
        step(
          `what is there is adopted elsewhere${way}`,
          (oracle, world) => adopt(oracle, world, way),
          isSure,
        ),
      ),
  },
  {
    weight: 1,
    arbitrary: fc.constant(
      step('elsewhere, the manifest has lost what lists show, and it is adopted again', adoptAgain, isSure),
    ),
  },
)
