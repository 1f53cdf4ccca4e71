/** What each command has to have left, and why one may fail. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { PAT, REPORTER } from '../../support/people.ts'
import {
  addressesOf,
  configsAt,
  PROJECTS,
  ROLES,
  windowValues,
  type Declared,
  type User,
} from './declared.ts'
import { configsOf, idIn, type Moment, type Oracle } from './oracle.ts'
import { PROJECT, SECRET, type Ended, type Stated, type Truth, type World } from './world.ts'

/** Of what is not declared and was not in the state, nothing is written. */
export const checkTouched = (
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
export const checkNeeded = ({
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

export const idsOf = (stated: Stated | undefined): readonly string[] => {
  const { id, api_key_id: key, user_id: user, type } = stated?.values ?? {}
  return [id, key, user, type].filter((each) => typeof each === 'string')
}

/** What an address means by its configuration alone. */
const thingAt = (declared: Declared, address: string): readonly string[] => {
  if (address === 'api_key.reporting' && declared.key !== undefined) return [REPORTER]
  if (address === 'user.pat' && declared.pat !== undefined) return [PAT]
  if (address === 'integration.chat' && declared.chat === 'absent') return ['CHAT_A']
  return []
}

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
      return own?.onRemove !== stated.values.on_remove || !hasRoles(truth, name, own, stated)
    }
    return truth.integrations.has(`${PROJECT} CHAT_A`) !== (declared.chat === 'present')
  }
  return addressesOf(declared).filter(differ)
}

const valuesOf = (window: any) => ({
  alertTypeNames: [...(window?.alertTypeNames ?? [])].toSorted((a: string, b: string) => a.localeCompare(b)),
  startDate: window?.startDate,
  endDate: window?.endDate,
  description: window?.description,
})

const roleText = ({ roleName, orgId, groupId }: any): string => `${roleName} ${orgId ?? groupId}`

/**
 * All declared roles are there or offered, and no other is there. A write leaves a role in a project that it does not
 * name; if the state does not have it, nobody has ever declared it.
 */
const hasRoles = (truth: Truth, name: string, own: User | undefined, { values }: Stated): boolean => {
  const user = truth.users.get(`${name}@example.com`)
  const wanted = (own?.roles ?? []).map((role) => roleText(ROLES[role]))
  const held = (user?.roles ?? []).map(roleText)
  const offered = (user?.invitations ?? []).map(roleText)
  const isTold = (values.roles ?? []).some(({ project_id: project }: any) => project === PROJECT)
  const isOthers = (role: string): boolean => role === roleText(ROLES.reader) && !isTold
  return (
    held.every((role: string) => wanted.includes(role) || isOthers(role)) &&
    wanted.every((role) => held.includes(role) || offered.includes(role))
  )
}

export const checkReached = (oracle: Oracle, after: Moment, { said }: Ended): void => {
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
export const checkNothingTwice = ({ made, left }: Oracle, { truth, state }: Moment, now: number): void => {
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

/** A user has a role in a project that no declared role names, where a write leaves it. */
const staysInPlace = (declared: Declared, { users }: Truth): boolean =>
  (['dana', 'pat'] as const).some((name) => {
    const held = users.get(`${name}@example.com`)?.roles ?? []
    const isHeld = held.some(({ groupId }: any) => groupId === PROJECT)
    return isHeld && declared[name]?.roles.includes('reader') === false
  })

/** A command fails only for a reason that the history has given. */
export const checkFailure = (oracle: Oracle, before: Moment, { said, command, wrote }: Ended): void => {
  const { declared } = oracle
  const live = before.truth
  if (said.includes('DM-SELECTOR-CONFLICT') && overlaps(declared, before.state)) return
  if (oracle.isFaulty) return
  const isMissing = declared.chat === 'present' && !live.integrations.has(`${PROJECT} CHAT_A`)
  if (isMissing && said.includes('By hand')) return
  if (staysInPlace(declared, live) && said.includes('still in the answer after its removal')) return
  const isLost = live.users.has('dana@example.com') && !before.state.has('user.dana')
  if (declared.dana !== undefined && isLost && said.includes('exists already')) return
  const failure = said.slice(Math.max(0, said.indexOf('Error:')))
  expect({ command, failure, wrote }).toBe('a command that succeeds')
}

/** Nothing tells a secret, and Terraform finds no fault in the provider. */
export const checkSound = ({ folder }: World, { stdout, stderr, said }: Ended): void => {
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

/** A command that only reads has written nothing, and kept the resource. */
export const checkSilent = ({ said, wrote }: Ended): void =>
  expect({ said, wrote }).toEqual({ said, wrote: [] })

/** What was aimed at is as declared. */
export const checkAimed = (oracle: Oracle, after: Moment, address: string): void =>
  expect(differences(oracle, after)).not.toContain(address)

export const checkEmpty = ({ state }: Moment): void => expect([...state.keys()]).toEqual([])

/** A saved plan leaves alone what somebody did after it. */
export const checkKept = (
  ids: readonly string[],
  {
    before,
    after,
    ended: { said },
  }: { readonly before: Moment; readonly after: Moment; readonly ended: Ended },
): void => {
  const valuesIn = ({ truth }: Moment) => ids.map((id) => [id, truth.configs.get(id), truth.windows.get(id)])
  expect({ said, is: valuesIn(after) }).toEqual({ said, is: valuesIn(before) })
}

/** The apply of a saved plan was refused before anything was sent to the thing. */
export const checkRefused = ({ code, said, wrote }: Ended, id: string): void => {
  expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining('DM-PLAN-STALE') })
  expect(wrote.filter(({ path }) => path.endsWith(id))).toEqual([])
}
