import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect } from 'vitest'
import { manifestOf } from '../known/declared.ts'
import { PROJECT } from '../fixture.ts'
import { knownBeside } from '../known/neighbour.ts'
import { isSure, type Oracle } from '../known/oracle.ts'
import { step, type Step } from './step.ts'
import { count } from '../tally.ts'
import type { World } from '../world.ts'

const ADOPTED = 'deploymgmt.adopted.yaml'

/**
 * Runs `adopt` in a copy of the checkout, whatever has happened so far: it writes nothing to the service, and declares
 * and records everything that lists show. With its file, a plan would send the same as without.
 */
const adopt = async (oracle: Oracle, world: World): Promise<void> => {
  const { declared } = oracle
  const there = await world.copied()
  await there.manifest(manifestOf(declared))
  const since = there.now
  const before = await there.json(['plan', '--all'])
  const { code, stderr, number } = await there.run([
    'adopt',
    '--state',
    there.place?.address ?? 'deploymgmt.state.json',
  ])
  expect({ code, stderr, acts: there.actsOf(number) }).toMatchObject({ code: 0, acts: [] })
  const isNew = existsSync(join(there.folder, ADOPTED))
  const text = isNew ? await readFile(join(there.folder, ADOPTED), 'utf8') : ''
  const beside = [...(await knownBeside(oracle))]
  expect(
    beside.filter((id) => text.includes(id)),
    'written, and known to another manifest',
  ).toEqual([])
  const own = there.isLayered ? [] : ['--file', 'deploymgmt.yaml']
  const files = isNew ? [...own, '--file', ADOPTED] : []
  const { document } = await there.json(['plan', '--all', ...files])
  // An event that became readable since then would have changed a plan without the file, too.
  const isToldSince = there.service.acts.some(({ seenFrom }) => seenFrom > since && seenFrom <= there.now)
  if (!isToldSince) expect(sentBy(document)).toEqual(sentBy(before.document))
  const known = new Set(before.document.changes.map(({ address }: any) => address))
  const added = document.changes.filter(({ address }: any) => !known.has(address))
  count(`adopt: ${added.length} added`)
  expect(added.filter(({ action }: any) => action !== 'unchanged')).toEqual([])
  const { document: report } = await there.json(['drift', ...files])
  expect(report.unmanaged.filter(isListed)).toEqual([])
}

/** What nobody declares, in a list of the project that the manifest names. */
const isListed = ({ section, identity }: any): boolean =>
  ['alertConfigurations', 'integrations'].includes(section) && identity.projectId === PROJECT

const sentBy = ({ changes }: any): readonly unknown[] =>
  changes.flatMap(({ address, action, requests }: any) =>
    requests.length > 0 ? [{ address, action, requests }] : [],
  )

export const adopts: fc.Arbitrary<Step> = fc.constant(
  step('what is there is adopted elsewhere', adopt, isSure),
)
