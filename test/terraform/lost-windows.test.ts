/** Several creations of windows that lose their answers in one apply: each resource gets what its creation has made. */
import { describe, expect, it } from 'vitest'
import { PROJECT } from '../support/installation.ts'
import { inOppositeOrder, makingOnly } from '../support/swapped.ts'
import { resource, text } from './support/hcl.ts'
import { betweenThem } from './support/proxied.ts'
import { noTerraform } from './support/terraform.ts'
import { configured, windowsIn, type Workspace } from './support/workspace.ts'

interface Declared {
  readonly name: string
  readonly types?: string
  readonly description?: string
}

const startOf = ({ name }: Declared): string => `2035-03-${name.slice(1)}T02:00:00Z`

const hclOf = (declared: Declared, blocks = ''): string => {
  const { name, types = 'HOST', description } = declared
  return resource(
    'maintenance_window',
    name,
    {
      project_id: text(PROJECT),
      alert_type_names: `["${types}"]`,
      start_date: text(startOf(declared)),
      end_date: text(`2035-03-${name.slice(1)}T04:00:00Z`),
      ...(description === undefined ? {} : { description: text(description) }),
    },
    blocks,
  )
}

const settings = { 'open.rawDocument': 'empty' }

/** A workspace whose windows are to be created, at a service whose events tell no values. */
const declaring = (declared: readonly Declared[]): Promise<Workspace> =>
  configured(declared.map((each) => hclOf(each)).join('\n'), { settings })

/** Expects that each resource has one window, with its own values and nothing of another one. */
const expectOwn = async (here: Workspace, declared: readonly Declared[]): Promise<void> => {
  const held = await windowsIn(here)
  expect(held).toHaveLength(declared.length)
  for (const each of declared) {
    const { name, types = 'HOST', description } = each
    const { id } = await here.state(`maintenance_window.${name}`)
    const window = held.find((found) => found.id === id)
    expect({ name, ...window, description: window.description }).toMatchObject({
      alertTypeNames: [types],
      startDate: startOf(each),
      description,
    })
  }
  await here.expectNoChanges()
}

const PLAIN: Declared = { name: 'w01' }
const OTHER: Declared = { name: 'w02', description: 'w02' }

const NAMES = ['w01', 'w02', 'w03', 'w04', 'w05']
const DESCRIBED = NAMES.map((name) => ({ name, description: name }))
const HALF = NAMES.map((name, index) => (index % 2 === 0 ? { name } : { name, description: name }))
const MIXED = HALF.map((each, index) => ({ ...each, types: index % 3 === 0 ? 'BACKUP' : 'HOST' }))

describe.skipIf(noTerraform)('windows whose creations all lost their answers', () => {
  it.each([
    ['all have a description', DESCRIBED],
    ['some have none, which could not be removed from them', HALF],
    ['some have none, and their types differ', MIXED],
  ])('each get what they made, where %s', async (_, declared) => {
    const here = await declaring(declared)
    const proxy = await betweenThem(here)
    proxy.steer(inOppositeOrder(declared.length))
    expect((await here.apply()).said).not.toContain('may have been created')
    await expectOwn(here, declared)
  })

  it('are asked again where the answer to a question is lost as well', async () => {
    const here = await declaring(DESCRIBED)
    const proxy = await betweenThem(here)
    const losing = inOppositeOrder(DESCRIBED.length)
    let isLost = false
    proxy.steer(async (passing, forward) => {
      if (passing.method !== 'PATCH' || isLost) return losing(passing, forward)
      isLost = true
      await forward()
      return 'reset'
    })
    await here.apply()
    expect(isLost).toBe(true)
    await expectOwn(here, DESCRIBED)
  })

  it('count a question whose answer was lost as their own: nothing is written once more for its event', async () => {
    const here = await declaring([PLAIN])
    const proxy = await betweenThem(here)
    const left = new Set(['POST', 'PATCH'])
    proxy.steer(async ({ method }, forward) => {
      const passed = await forward()
      return left.delete(method) ? 'reset' : passed
    })
    await here.apply()
    const writes = await here.newWrites()
    expect(writes.map((each) => each.slice(0, each.indexOf(' ')))).toEqual(['POST', 'PATCH', 'PATCH'])
    await expectOwn(here, [PLAIN])
  })

  it('are not waited for by what depends on them, nor wait for it', async () => {
    const after = 'depends_on = [deploymgmt_maintenance_window.w01, deploymgmt_maintenance_window.w02]\n'
    const last = { name: 'w03' }
    const here = await configured([hclOf(PLAIN), hclOf(OTHER), hclOf(last, after)].join('\n'), { settings })
    const proxy = await betweenThem(here)
    let made = 0
    proxy.steer(async ({ method }, forward) => {
      const passed = await forward()
      made += method === 'POST' ? 1 : 0
      return method === 'POST' ? 'reset' : passed
    })
    const { said } = await here.apply()
    expect(made).toBe(3)
    await expectOwn(here, [PLAIN, OTHER, last])
    // Another state with the same key might have made them.
    for (const { id } of await windowsIn(here))
      expect(said).toContain(`the answer to its creation was lost; an event names ${id}`)
  })
})

describe.skipIf(noTerraform)('one of two windows that lost their answers', () => {
  it.each([
    ['has a description', OTHER, PLAIN],
    ['has none', PLAIN, OTHER],
  ])(
    'gets what it made while the other is still under way at the service, where it %s',
    async (_, made, late) => {
      const here = await declaring([made, late])
      const proxy = await betweenThem(here)
      const { steer, makeOthers } = makingOnly(startOf(made))
      proxy.steer(steer)
      const { said } = await here.expect(1, 'apply', '-auto-approve')
      expect(said.match(/may have been created/g)).toHaveLength(1)
      const [window, ...others] = await windowsIn(here)
      expect(others).toEqual([])
      expect(window.description).toBe(made.description)
      expect(await here.state(`maintenance_window.${made.name}`)).toMatchObject({ id: window.id })
      await makeOthers()
      // As the message says.
      const [other] = (await windowsIn(here)).filter(({ id }) => id !== window.id)
      await here.expect(0, 'import', `deploymgmt_maintenance_window.${late.name}`, `${PROJECT}/${other.id}`)
      await here.apply()
      await expectOwn(here, [made, late])
    },
  )
})
