import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { kinds } from '@deploymgmt/provider/kinds'
import { expect, it, vi } from 'vitest'
import { loadDeclaration, type LoadedDeclaration } from '../../../reconciler/config/index.ts'
import { KeptTree } from '../../../reconciler/config/tree/kept-tree.ts'
import type { MapNode } from '../../../reconciler/config/tree/node.ts'
import { parse } from '../../../reconciler/config/tree/parse.ts'
import { Report } from '../../../reconciler/config/tree/report.ts'
import { Source } from '../../../reconciler/config/tree/source.ts'
import { TreeBuilder } from '../../../reconciler/config/tree/tree.ts'
import { folderOf } from './support/manifests.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
setFlagsFromString('--no-expose-gc')

/** Weakly held values go with the next collection, once the running code has ended. */
const letGo = async (): Promise<void> => {
  await setImmediate()
  collect()
  await setImmediate()
}

/**
 * Whether it is so after one of the next collections. A thread of V8 that compiles a function holds what the function
 * refers to, and may take longer than one of them.
 */
const isSoSoon = async (isSo: () => Promise<boolean>): Promise<boolean> => {
  for (let round = 0; round < 20; round += 1) {
    await letGo()
    if (await isSo()) return true
  }
  return false
}

const treeOf = (text: string): MapNode => {
  const root = parse(new Source('m.yaml', '/m.yaml', text), new Report())
  if (root?.is !== 'map') throw new Error('no mapping')
  return root
}

it('a kept tree is not made anew while somebody holds it', async () => {
  let made = 0
  const kept = new KeptTree(treeOf('a: 1'), () => {
    made += 1
    return treeOf('a: 1')
  })
  const held = kept.root()
  await letGo()
  expect(kept.root()).toBe(held)
  expect(made).toBe(0)
})

it('a kept tree that nobody holds is let go, and made anew when it is asked for', async () => {
  let made = 0
  const anew = (): MapNode => {
    made += 1
    return treeOf('a: [1, x]')
  }
  const kept = new KeptTree(anew(), anew)
  const isMadeAnew = async (): Promise<boolean> => {
    expect(kept.root()).toEqual(treeOf('a: [1, x]'))
    return made === 2
  }
  expect(await isSoSoon(isMadeAnew)).toBe(true)
})

const refersToNothing = (): Promise<never> => Promise.reject(new Error('nothing refers to what is recorded'))

it.each([
  ['', {}],
  [' beside a state', { recordedIn: refersToNothing }],
])('a declaration%s holds no tree, and answers as before', async (_where, beside) => {
  const cwd = await folderOf({
    'base/deploymgmt.yaml': `version: 1
name: acme
variables:
  on: { default: true }
projects:
  payments: { id: 5c8100bcf2a30b12ff88258f, orgId: 5980cfdf0b6d97029d82f86e }
alertConfigurations:
  noisy: { projectId: payments, alertConfigId: 5c8100bcf2a30b12ff882590, enabled: "\${var.on}" }
  other: { projectId: payments, alertConfigId: 5c8100bcf2a30b12ff882591, enabled: false }
`,
    'own.yaml': 'version: 1\nname: acme\nalertConfigurations:\n  other: { enabled: true }\n',
    'vars.yaml': 'on: false\n',
  })
  const options = { files: ['base', 'own.yaml'], varFiles: ['vars.yaml'], cwd, ...beside }
  const { fields = {} } = kinds.find(({ section }) => section === 'alertConfigurations') ?? {}
  const answers = async ({ explain, patchOf, reevaluate }: LoadedDeclaration) => ({
    explained: explain('alertConfigurations.noisy'),
    patch: patchOf([{ entry: 'alertConfigurations.other', fields, values: { enabled: false } }]),
    entries: (await reevaluate(() => undefined)).declaration.entries,
  })
  const before = await answers(await loadDeclaration(options, kinds))
  expect(before.patch).toContain('+  other: { enabled: false }')
  expect(before.explained?.values).toContainEqual(expect.objectContaining({ field: 'enabled' }))
  expect(before.entries.map(({ values }) => values['enabled'])).toEqual([false, true])
  // Each time of another declaration: what was built anew may stay, because it is asked for again.
  const isBuiltAnew = async (): Promise<boolean> => {
    const loaded = await loadDeclaration(options, kinds)
    await letGo()
    // Not earlier, since the spy would hold the trees that it has seen.
    const built = vi.spyOn(TreeBuilder.prototype, 'build')
    try {
      expect(await answers(loaded)).toEqual(before)
      return built.mock.calls.length === 2
    } finally {
      built.mockRestore()
    }
  }
  expect(await isSoSoon(isBuiltAnew)).toBe(true)
})
