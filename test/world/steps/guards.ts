import * as fc from 'fast-check'
import { expect } from 'vitest'
import { applyIn } from './applies.ts'
import { checkApplied, idAt } from '../checks/check-apply.ts'
import { EPOCH, HOUR, type DeclaredWindow } from '../known/declared.ts'
import { CALLER, LEDGER, ORG, PROJECT, REPORTER } from '../fixture.ts'
import { isSure, type Oracle } from '../known/oracle.ts'
import { declare, step, type Step } from './step.ts'
import { count } from '../tally.ts'
import { recordsOf, truthOf, type Ended, type World } from '../world.ts'

/** Applies with every flag; returns whether everything was done. */
const applyAll = async (oracle: Oracle, world: World): Promise<boolean> => {
  const ended = await applyIn(world, oracle)
  await checkApplied(world, oracle, ended)
  return ended.code === 0
}

/** Applies as a person who knows of no flag. */
const applyPlain = (oracle: Oracle, world: World): Promise<Ended> => applyIn(world, oracle, [], {}, [])

/** Nothing is sent, and the flag is named. */
const checkRefused = (world: World, { code, said, number }: Ended, flag: string): void => {
  count(`guard: refused without ${flag}`)
  expect(world.service.sent.filter(({ run }) => run === number)).toEqual([])
  expect({ code, said, isNamed: said.includes(flag) }).toEqual({ code: 1, said, isNamed: true })
}

/** The same for the roles of the key. If somebody else may have changed it, its description is sent first to learn more. */
const checkRolesRefused = (world: World, ended: Ended, flag: string): void => {
  const isClear = world.service.acts.every(({ id, by }) => id !== REPORTER || by === 'run')
  if (isClear) return checkRefused(world, ended, flag)
  const { code, said, number, document } = ended
  count(`guard: refused without ${flag}, after others`)
  const sent = world.service.sent.filter(
    ({ run, body }) => run === number && Object.keys(body ?? {}).join() !== 'desc',
  )
  const isNamed = `${said}${JSON.stringify(document)}`.includes(flag)
  expect({ code, said, sent, isNamed }).toEqual({ code: 1, said, sent: [], isNamed: true })
}

const MANY = Array.from({ length: 10 }, (_, index) => `many-${index}`)
const SHARE = 0.3

const isWindow = ({ kind }: any): boolean => kind === 'maintenance_window'

/**
 * Changes as many of ten new windows as may be changed at once, and takes as many out; or one more, also if other
 * recorded windows leave none that surely may.
 */
const changeMany = async (isOneMore: boolean, oracle: Oracle, world: World): Promise<void> => {
  const { windows: before } = oracle.declared
  const first = Math.ceil((world.now - EPOCH) / HOUR) + 500
  const made = MANY.map((name, index): [string, DeclaredWindow] => [
    name,
    {
      project: 'payments',
      types: ['HOST'],
      start: first + index,
      hours: 1,
      description: 'one',
      onRemove: 'end',
      protect: false,
    },
  ])
  const declareMany = (each: readonly [string, DeclaredWindow][]): Promise<void> =>
    declare(oracle, world, { windows: { ...before, ...Object.fromEntries(each) } })
  await declareMany(made)
  if (await applyAll(oracle, world)) {
    const total = Object.values(await recordsOf(world)).filter(isWindow).length
    const limit = Math.floor(total * SHARE)
    // The others may change, too.
    const sure = limit - (total - MANY.length)
    const isTooMany = isOneMore || sure < 1
    const often = isTooMany ? limit + 1 : sure
    const [some, rest] = [made.slice(0, often), made.slice(often)]
    const changed = some.map(([name, each]): [string, DeclaredWindow] => [
      name,
      { ...each, description: 'two' },
    ])
    for (const [flag, edited] of [
      ['--allow-mass-change', changed],
      ['--allow-mass-removal', []],
    ] as const) {
      await declareMany([...edited, ...rest])
      const ended = await applyPlain(oracle, world)
      if (ended.document.strangers !== undefined) break
      if (isTooMany) checkRefused(world, ended, flag)
      else {
        count(`guard: ${often} of ${total} without ${flag}`)
        expect(ended.said).not.toContain(flag)
      }
    }
  }
  await declare(oracle, world, { windows: before })
  await applyAll(oracle, world)
}

const many = fc
  .constantFrom(true, true, false)
  .map((isOneMore) =>
    step(
      `ten windows are declared and applied, and ${isOneMore ? 'one more than' : 'as many as'} may be are changed, then taken out; each time, apply without a flag`,
      (oracle, world) => changeMany(isOneMore, oracle, world),
      isSure,
    ),
  )

/** The key is the only recorded owner, so it stays one. */
const lowerOwner = async (oracle: Oracle, world: World): Promise<void> => {
  await declare(oracle, world, { key: { desc: 'Owns', role: 'ORG_OWNER' } })
  const isDone = await applyAll(oracle, world)
  await declare(oracle, world, { key: { desc: 'Owns', role: 'ORG_MEMBER' } })
  if (!isDone || !truthOf(world).key.roles.includes('ORG_OWNER')) return
  const records = await recordsOf(world)
  const owners = Object.keys(records).filter((address) =>
    JSON.stringify(records[address].applied.roles ?? []).includes('ORG_OWNER'),
  )
  const ended = await applyPlain(oracle, world)
  if (ended.document.strangers !== undefined) return
  expect(owners.map((address) => idAt(records, address))).toEqual([REPORTER])
  checkRolesRefused(world, ended, OWNER_FLAG)
}

const OWNS = ['ORG_MEMBER', 'ORG_OWNER']
const LOWER = ['ORG_MEMBER']

/** What is known of the owners before the calling key is declared as none. */
type Knows = 'the calling key' | 'both' | 'nothing' | 'nothing, and it is not described'

/**
 * The key of the runs stays an owner, whoever else is one, and whether that was known before or not. The other one of
 * two that are known may go.
 */
const lowerCaller = async (oracle: Oracle, world: World, knows: Knows): Promise<void> => {
  const before = oracle.declared
  const owning = { desc: 'CI', roles: OWNS }
  const key = knows === 'both' ? { desc: 'Owns', role: 'ORG_OWNER' } : before.key
  const isKnown = !knows.startsWith('nothing')
  if (isKnown) await declare(oracle, world, { key, caller: owning })
  if (!isKnown || (await applyAll(oracle, world))) {
    const desc = knows === 'nothing, and it is not described' ? {} : { desc: 'CI' }
    await declare(oracle, world, { caller: { ...desc, roles: LOWER } })
    const ended = await applyPlain(oracle, world)
    const isBeside = ended.document.strangers !== undefined
    // If only the first answer shows that it is the calling key, only that change fails.
    if (!isBeside && knows !== 'nothing') checkRefused(world, ended, OWNER_FLAG)
    else if (!isBeside) checkKept(world, ended)
    if (knows === 'both' && truthOf(world).key.roles.includes('ORG_OWNER')) {
      await declare(oracle, world, { key: { desc: 'Owns', role: 'ORG_MEMBER' }, caller: owning })
      const { said } = await applyPlain(oracle, world)
      count('guard: one of two owners goes')
      expect(said).not.toContain(OWNER_FLAG)
    }
  }
  await declare(oracle, world, { key: before.key, caller: undefined })
  await applyAll(oracle, world)
}
const OWNER_FLAG = '--allow-owner-removal'

const checkKept = (world: World, { code, said, document, number }: Ended): void => {
  count('guard: the calling key keeps what it has')
  const roles = world.service.sent.filter(
    ({ run, path, body }) => run === number && path.includes(CALLER) && body?.roles !== undefined,
  )
  // Before anything is sent, the whole plan may be refused because of another entry.
  const isNamed = document.error?.code === 'DM-GUARD' || JSON.stringify(document).includes(OWNER_FLAG)
  expect({ code, said, roles, isNamed }).toEqual({ code: 1, said, roles: [], isNamed: true })
}

const ROLE_FLAG = '--allow-role-removal'

/** Once an answer has shown that a key has a role of a project, its roles are not written without the flag. */
const keepRoleOfProject = async (oracle: Oracle, world: World): Promise<void> => {
  const before = oracle.declared.key
  const applyKey = async (desc: string, role: string): Promise<Ended> => {
    await declare(oracle, world, { key: { desc, role } })
    return applyIn(world, oracle)
  }
  const first = await applyKey('Reads', 'ORG_READ_ONLY')
  const takeBack = world.service.promote(ORG, REPORTER, PROJECT)
  const shown = await applyKey('Reads a project', 'ORG_READ_ONLY')
  if (first.code === 0 && shown.code === 0) {
    await declare(oracle, world, { key: { desc: 'Reads a project', role: 'ORG_MEMBER' } })
    const ended = await applyPlain(oracle, world)
    if (ended.document.strangers === undefined) checkRolesRefused(world, ended, ROLE_FLAG)
    const { code } = await applyIn(world, oracle)
    count(`guard: with ${ROLE_FLAG}, exit ${code}`)
    if (code === 0) expect(truthOf(world).key.roles).toEqual(['GROUP_READ_ONLY', 'ORG_MEMBER'])
  }
  takeBack()
  // Its answer no longer shows the role.
  await applyKey('Reads no project', 'ORG_MEMBER')
  await declare(oracle, world, { key: before })
  await applyAll(oracle, world)
}

/** What a list leaves out is not deleted without the flag. */
const deleteByList = async (oracle: Oracle, world: World, listed: readonly string[]): Promise<void> => {
  await declare(oracle, world, { listed })
  const there = truthOf(world).integrations.get(LEDGER) ?? []
  const ended = await applyPlain(oracle, world)
  if (ended.document.strangers !== undefined) return
  if (there.some((type) => !listed.includes(type))) checkRefused(world, ended, '--allow-delete')
  else expect(ended.said).not.toContain('--allow-delete')
}

export const guards: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: many },
  {
    weight: 1,
    arbitrary: fc.constant(
      step('a key that is the last owner is declared as none; apply without a flag', lowerOwner, isSure),
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom<Knows>('both', 'both', 'the calling key', 'nothing', 'nothing, and it is not described')
      .map((knows) =>
        step(
          `the calling key is declared as no owner, and recorded as one is ${knows}; apply without a flag`,
          (oracle, world) => lowerCaller(oracle, world, knows),
          (oracle) => isSure(oracle) && !oracle.isKeyNew,
        ),
      ),
  },
  {
    weight: 1,
    arbitrary: fc.constant(
      step(
        'a key gets a role of a project, which an answer shows, and is declared with another role; apply without a flag, then with it',
        keepRoleOfProject,
        isSure,
      ),
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(['PAGING'], ['WEBHOOK'], [])
      .map((listed) =>
        step(
          `nothing but ${listed.join() || 'nothing'} may be integrated; apply without a flag`,
          (oracle, world) => deleteByList(oracle, world, listed),
          isSure,
        ),
      ),
  },
)
