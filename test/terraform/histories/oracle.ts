/** What a history has done so far, and what each command has to have left. It knows nothing that the provider says. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { REPORTER } from '../../support/people.ts'
import {
  addressesOf,
  CONFIGS,
  configsAt,
  hclOf,
  PROJECTS,
  ROLES,
  windowValues,
  type Declared,
  type User,
} from './declared.ts'
import { PROJECT, SECRET, type Around, type Ended, type Stated, type Truth, type World } from './world.ts'

/** What is there at one moment. */
export interface Moment {
  readonly truth: Truth
  readonly state: ReadonlyMap<string, Stated>
}

export class Oracle {
  declared: Declared
  /** What a configuration had when an address came to stand for it: `ADDRESS ID`. */
  readonly adopted = new Map<string, boolean>()
  /** What a command of ours has last left of a configuration. */
  readonly set = new Map<string, boolean>()
  /** Windows that commands of ours have made. */
  readonly made = new Set<string>()
  /** Windows that somebody else has made. */
  readonly theirs = new Set<string>()
  /** Windows that were let go of as they are. */
  readonly left = new Set<string>()
  /** Things that somebody else has written since a command of ours last did, by id. */
  readonly foreign = new Set<string>()
  /** A request of the next command fails, or its answer is lost. */
  isFaulty = false
  /** Somebody wrote while a command of ours did: their changes may have been before or after ours. */
  isUnclear = false

  constructor(declared: Declared) {
    this.declared = declared
  }

  /** Follows what a command has done to the state and the service. */
  follow({ wrote }: Ended, before: Moment, after: Moment): void {
    for (const { path } of wrote) this.foreign.delete(idIn(path))
    for (const id of after.truth.windows.keys())
      if (!before.truth.windows.has(id) && !this.theirs.has(id)) this.made.add(id)
    const kept = new Set([...after.state.values()].map(({ values }) => values.id))
    for (const { values } of before.state.values())
      if (values.on_remove === 'forget' && !kept.has(values.id)) this.left.add(values.id)
    for (const [address, stated] of after.state)
      for (const id of configsOf(stated)) {
        const key = `${address} ${id}`
        const wasThere = configsOf(before.state.get(address)).includes(id)
        if (!wasThere) this.adopted.set(key, before.truth.configs.get(id) ?? false)
        this.set.set(id, after.truth.configs.get(id) ?? false)
      }
  }
}

export const momentOf = async (world: World): Promise<Moment> => ({
  truth: await world.truth(),
  state: await world.state(),
})

const idIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The configurations that a resource of the state stands for. */
const configsOf = (stated: Stated | undefined): readonly string[] => {
  const { alert_config_id: id, configurations } = stated?.values ?? {}
  if (typeof id === 'string') return [id]
  return Object.keys(configurations ?? {})
}

/** Runs a command that may write, and checks all that it did. */
export const carryOut = async (
  oracle: Oracle,
  world: World,
  words: readonly string[],
  { within, ...around }: { readonly within?: readonly string[] } & Around = {},
): Promise<Ended> => {
  const before = await momentOf(world)
  const ended = await world.terraform(words, around)
  const after = await momentOf(world)
  checkSound(world, ended)
  checkTouched(oracle, { ended, before, after, within })
  if (around.meanwhile === undefined) checkNeeded({ ended, before, after })
  oracle.follow(ended, before, after)
  return ended
}

/** Applies all that is declared, and checks that it is reached or that something prevents it. */
export const apply = async (
  oracle: Oracle,
  world: World,
  words: readonly string[] = ['apply', '-auto-approve'],
): Promise<Ended> => {
  const before = await momentOf(world)
  const ended = await carryOut(oracle, world, words)
  if (ended.code !== 0) {
    checkFailure(oracle, before, ended)
    return ended
  }
  oracle.isUnclear = false
  const after = await momentOf(world)
  checkReached(oracle, after, ended)
  checkReleased(oracle, { before, after, ended, now: world.now(), kept: addressesOf(oracle.declared) })
  checkNothingTwice(oracle, after, world.now())
  oracle.declared = { ...oracle.declared, moved: [] }
  await world.configure(hclOf(oracle.declared))
  const again = await world.terraform(['plan', '-detailed-exitcode'])
  const { code, said, wrote } = again
  expect({ code, said, wrote }).toEqual({ code: 0, said, wrote: [] })
  return ended
}

/** Of what is not declared and was not in the state, nothing is written. */
const checkTouched = (
  { declared }: Oracle,
  {
    ended: { wrote, command },
    before,
    after,
    within,
  }: {
    readonly ended: Ended
    readonly before: Moment
    readonly after: Moment
    readonly within: readonly string[] | undefined
  },
): void => {
  const addresses = within ?? [...addressesOf(declared), ...before.state.keys()]
  const ids = new Set(
    addresses.flatMap((address) => [
      ...configsAt(declared, address),
      ...configsOf(before.state.get(address)),
      ...thingAt(declared, address),
      ...idsOf(before.state.get(address)),
      ...idsOf(after.state.get(address)),
    ]),
  )
  const isMade = (id: string): boolean => after.truth.windows.has(id) && !before.truth.windows.has(id)
  const strange = wrote.filter(({ method, path }) => {
    const id = idIn(path)
    if (method === 'POST')
      return !addresses.some((address) => /^(?:maintenance_window|user\.dana)/.test(address))
    return !ids.has(id) && !isMade(id)
  })
  expect({ command, strange }).toEqual({ command, strange: [] })
}

/** A configuration is written only where that changes it. */
const checkNeeded = ({
  ended: { wrote, command },
  before,
  after,
}: {
  readonly ended: Ended
  readonly before: Moment
  readonly after: Moment
}): void => {
  const same = wrote.filter(
    ({ method, path, status }) =>
      method === 'PATCH' &&
      status < 300 &&
      path.includes('/alertConfigs/') &&
      before.truth.configs.get(idIn(path)) === after.truth.configs.get(idIn(path)),
  )
  expect({ command, same }).toEqual({ command, same: [] })
}

const idsOf = (stated: Stated | undefined): readonly string[] => {
  const { id, api_key_id: key, user_id: user, type } = stated?.values ?? {}
  return [id, key, user, type].filter((each) => typeof each === 'string')
}

/** What an address means by its configuration alone. */
const thingAt = (declared: Declared, address: string): readonly string[] => {
  if (address === 'api_key.reporting' && declared.key !== undefined) return [REPORTER]
  if (address === 'user.pat' && declared.pat !== undefined) return [PAT_ID]
  if (address === 'integration.chat' && declared.chat === 'absent') return ['CHAT_A']
  return []
}
const PAT_ID = '5d2e1f0a9b8c7d6e5f4a3b2d'

/** Where what is declared is not what is there, or not in the state; by address. */
export const differences = ({ declared }: Oracle, { truth, state }: Moment): string[] => {
  const differ = (address: string): boolean => {
    const stated = state.get(address)
    if (stated === undefined || stated.isTainted) return true
    const [kind, name = ''] = address.split('.')
    if (kind === 'alert_configuration') {
      const own = name === 'all' ? declared.selected : declared.configs[name]
      return (
        own?.onRemove !== stated.values.on_remove ||
        configsAt(declared, address).some((id) => truth.configs.get(id) !== own?.enabled)
      )
    }
    if (kind === 'maintenance_window') {
      const own = declared.windows[name]
      const live = truth.windows.get(stated.values.id)
      return (
        own === undefined ||
        own.onRemove !== stated.values.on_remove ||
        live?.projectId !== PROJECTS[own.project] ||
        JSON.stringify(valuesOf(live)) !== JSON.stringify(windowValues(own))
      )
    }
    if (kind === 'api_key') {
      const { desc, roles } = truth.keys.get(REPORTER) ?? {}
      return desc !== declared.key?.desc || roles?.join() !== declared.key?.role
    }
    if (kind === 'user') {
      const own = name === 'dana' ? declared.dana : declared.pat
      return own?.onRemove !== stated.values.on_remove || !hasRoles(truth, name, own)
    }
    return truth.integrations.has(`${PROJECT} CHAT_A`) !== (declared.chat === 'present')
  }
  return addressesOf(declared).filter(differ)
}

const valuesOf = (window: any) => ({
  alertTypeNames: [...(window?.alertTypeNames ?? [])].toSorted(),
  startDate: window?.startDate,
  endDate: window?.endDate,
  description: window?.description,
})

const roleText = ({ roleName, orgId, groupId }: any): string => `${roleName} ${orgId ?? groupId}`

/** All declared roles are there or offered, and no other is there. */
const hasRoles = (truth: Truth, name: string, own: User | undefined): boolean => {
  const user = truth.users.get(`${name}@example.com`)
  const wanted = (own?.roles ?? []).map((role) => roleText(ROLES[role]))
  const held = (user?.roles ?? []).map(roleText)
  const offered = (user?.invitations ?? []).map(roleText)
  return (
    held.every((role: string) => wanted.includes(role)) &&
    wanted.every((role) => held.includes(role) || offered.includes(role))
  )
}

const checkReached = (oracle: Oracle, after: Moment, { said }: Ended): void => {
  expect({ differ: differences(oracle, after), said }).toEqual({ differ: [], said })
  const undeclared = [...after.state.keys()].filter((each) => !addressesOf(oracle.declared).includes(each))
  expect({ undeclared, said }).toEqual({ undeclared: [], said })
}

/** What is no longer in the state was released as its entry said, and otherwise left as it is. */
export const checkReleased = (
  oracle: Oracle,
  {
    before,
    after,
    ended: { said },
    now,
    kept,
  }: {
    readonly before: Moment
    readonly after: Moment
    readonly ended: Ended
    readonly now: number
    readonly kept: readonly string[]
  },
): void => {
  const covered = new Set(kept.flatMap((address) => configsAt(oracle.declared, address)))
  const windowsKept = new Set([...after.state.values()].map(({ values }) => values.id))
  const gone = [...before.state].filter(([address]) => !kept.includes(address))
  const claims = gone.flatMap(([, stated]) => configsOf(stated))
  for (const [address, stated] of gone) {
    const { on_remove: how, id, username } = stated.values
    for (const config of configsOf(stated)) {
      if (covered.has(config) || claims.filter((each) => each === config).length > 1) continue
      const was = before.truth.configs.get(config)
      const isOurs = was === oracle.set.get(config)
      const wanted = how === 'restore' && isOurs ? oracle.adopted.get(`${address} ${config}`) : was
      expect({ address, config, is: after.truth.configs.get(config), said }).toMatchObject({ is: wanted })
    }
    if (address.startsWith('maintenance_window.') && !windowsKept.has(id)) {
      const [was, is] = [before.truth.windows.get(id), after.truth.windows.get(id)]
      if (how === 'forget') expect({ address, said, is }).toMatchObject({ is: was })
      else
        expect({ address, said, isOver: Date.parse(is.endDate) <= now + MOMENTS_MS }).toMatchObject({
          isOver: true,
        })
    }
    if (address.startsWith('user.')) {
      const name = address === 'user.pat' ? 'pat@example.com' : username
      const [was, is] = [before.truth.users.get(name), after.truth.users.get(name)]
      const wanted = how === 'revoke' ? [] : was.roles
      expect({ address, said, roles: is.roles }).toMatchObject({ roles: wanted })
    }
  }
  if (!kept.includes('api_key.reporting'))
    expect(after.truth.keys.get(REPORTER)).toEqual(before.truth.keys.get(REPORTER))
}

/** A released window ends within moments. */
const MOMENTS_MS = 20_000

/** Every window that we made and that is not over is in the state, or was left as it is. */
const checkNothingTwice = ({ made, left }: Oracle, { truth, state }: Moment, now: number): void => {
  const known = new Set([...state.values()].map(({ values }) => values.id))
  const stray = [...made].filter(
    (id) =>
      !known.has(id) && !left.has(id) && Date.parse(truth.windows.get(id)?.endDate ?? '') > now + MOMENTS_MS,
  )
  expect(stray).toEqual([])
}

/** Two addresses stand for one configuration. */
const overlaps = (declared: Declared, state: Moment['state']): boolean => {
  const sets = new Map<string, readonly string[]>()
  for (const [address, stated] of state) sets.set(address, configsOf(stated))
  for (const address of addressesOf(declared))
    sets.set(address, [...(sets.get(address) ?? []), ...configsAt(declared, address)])
  const all = [...sets.values()].flatMap((ids) => [...new Set(ids)])
  return new Set(all).size < all.length
}

/** Two addresses want different values of one configuration. */
export const contradicts = ({ configs, selected }: Declared): boolean => {
  if (selected === undefined) return false
  return Object.values(configs).some(
    (each) => each !== undefined && each.index < 2 && each.enabled !== selected.enabled,
  )
}

/** A command fails only for a reason that the history has given. */
export const checkFailure = (oracle: Oracle, before: Moment, { said, command, wrote }: Ended): void => {
  const { declared } = oracle
  const live = before.truth
  if (said.includes('DM-SELECTOR-CONFLICT') && overlaps(declared, before.state)) return
  if (oracle.isFaulty) return
  const isMissing = declared.chat === 'present' && !live.integrations.has(`${PROJECT} CHAT_A`)
  if (isMissing && said.includes('By hand')) return
  const isLost = live.users.has('dana@example.com') && !before.state.has('user.dana')
  if (declared.dana !== undefined && isLost && said.includes('exists already')) return
  const failure = said.slice(Math.max(0, said.indexOf('Error:')))
  expect({ command, failure, wrote }).toBe('a command that succeeds')
}

/** Nothing tells a secret, and Terraform finds no fault in the provider. */
const checkSound = ({ folder }: World, { stdout, stderr, said }: Ended): void => {
  expect(said).not.toMatch(/bug in the provider|inconsistent result|did not respond|panic|undefined/)
  const texts = ['terraform.tfstate', 'terraform.tfstate.backup'].flatMap((name) => {
    try {
      return [readFileSync(join(folder, name), 'utf8')]
    } catch {
      return []
    }
  })
  expect([...texts, stdout, stderr].filter((each) => each.includes(SECRET))).toEqual([])
}

/** Plans, and checks its exit code, that it writes nothing, and that it names who changed what. */
export const plan = async (oracle: Oracle, world: World, ...words: readonly string[]): Promise<Ended> => {
  const before = await momentOf(world)
  const ended = await world.terraform(['plan', '-detailed-exitcode', ...words])
  checkSound(world, ended)
  const { code, said, wrote } = ended
  expect({ said, wrote }).toEqual({ said, wrote: [] })
  if (code === 1) {
    checkFailure(oracle, before, ended)
    return ended
  }
  expect({ said, isContradictory: contradicts(oracle.declared) }).toMatchObject({ isContradictory: false })
  const { declared } = oracle
  const differ = differences(oracle, before)
  const undeclared = [...before.state.keys()].filter((each) => !addressesOf(declared).includes(each))
  const isMoved = declared.moved.length > 0
  if (!isMoved)
    expect({ said, differ, undeclared, code }).toMatchObject({
      code: differ.length + undeclared.length > 0 ? 2 : 0,
    })
  const blamed = differ.filter((address) => {
    const stated = before.state.get(address)
    return [...configsOf(stated), ...idsOf(stated)].some((id) => oracle.foreign.has(id))
  })
  if (oracle.isUnclear) return ended
  if (blamed.length > 0 && !isMoved) expect(said).toContain('oncall')
  if (oracle.foreign.size === 0) expect(said).not.toContain('oncall')
  return ended
}

export { CONFIGS }
