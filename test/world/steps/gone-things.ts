import { idAt } from '../checks/check-apply.ts'
import { EPOCH, HOUR, type DeclaredUser } from '../known/declared.ts'
import { isBlurred, latestOf, roleText, roleTexts, type Oracle } from '../known/oracle.ts'
import { ORG, REPORTER } from '../fixture.ts'
import { without } from './edits.ts'
import { declare } from './step.ts'
import { recordsOf, truthOf, type World } from '../world.ts'

/** A recorded thing that is declared, and as it was last applied. */
export interface Found {
  readonly address: string
  readonly id: string
  /** Whether an apply makes a new one once nothing is recorded. */
  readonly isMadeAnew: boolean
  /** Somebody deletes it by hand; returns how to put it back. */
  readonly vanish: () => () => void
  /** Declares something else of it, so that there is something to write. */
  readonly change: () => Promise<void>
  readonly takeOut: () => Promise<void>
  /** What the service holds of that, and what it has to hold once it is written. */
  readonly changed: (id: string) => { readonly live: unknown; readonly wanted: unknown }
}

export type Finder = (oracle: Oracle, world: World) => Promise<Found | undefined>

export const windowIn: Finder = async (oracle, world) => {
  const records = await recordsOf(world)
  for (const [name, window] of Object.entries(oracle.declared.windows)) {
    const address = `maintenanceWindows.${name}`
    const id = idAt(records, address)
    const live = truthOf(world).windows.get(id)
    if (window === undefined || live === undefined || window.protect || name.includes('[')) continue
    const isToCome = EPOCH + window.start * HOUR > latestOf(world, oracle) + 2 * HOUR
    const isOther = records[address].identity.projectId !== live.projectId
    if (!isToCome || isOther || window.windowId !== undefined || isBlurred(world, oracle, id)) continue
    const description = window.description === 'three' ? 'four' : 'three'
    const windows = { ...oracle.declared.windows, [name]: { ...window, description } }
    return {
      address,
      id,
      isMadeAnew: true,
      vanish: () => world.service.vanish('window', live.projectId, id),
      change: () => declare(oracle, world, { windows }),
      takeOut: () => declare(oracle, world, { windows: without(windows, name) }),
      changed: (now) => ({ live: truthOf(world).windows.get(now)?.description, wanted: description }),
    }
  }
  return undefined
}

/** Users whom runs have created, and one who was adopted. */
export const userIn: Finder = async (oracle, world) => {
  const records = await recordsOf(world)
  const { users, pat } = oracle.declared
  for (const [name, user] of [...Object.entries(users), ['pat', pat] as const]) {
    const address = `users.${name}`
    const { isNamedAlone = false, identity } = records[address] ?? {}
    const more = (['creator', 'reader'] as const).find((role) => user?.roles.includes(role) === false)
    const live = truthOf(world).users.get(`${name}@example.com`)
    const isThere = !isNamedAlone && live?.id !== undefined && identity?.userId === live.id
    if (user === undefined || more === undefined || !isThere || isBlurred(world, oracle, live.id)) continue
    const roles = [...user.roles, more]
    const put = (each: DeclaredUser | undefined): Promise<void> =>
      declare(
        oracle,
        world,
        name === 'pat'
          ? { pat: each }
          : {
              users:
                each === undefined
                  ? without(oracle.declared.users, name)
                  : { ...oracle.declared.users, [name]: each },
            },
      )
    return {
      address,
      id: live.id,
      isMadeAnew: name !== 'pat',
      vanish: () => world.service.vanish('user', '', live.id),
      change: () => put({ ...user, roles }),
      takeOut: () => put(undefined),
      changed: (now) => {
        const held = world.service.dump().users.find(({ id }: any) => id === now)
        const given = [...(held?.roles ?? []), ...(held?.invitations ?? [])].map(roleText)
        return { live: roleTexts(roles).filter((each) => !given.includes(each)), wanted: [] }
      },
    }
  }
  return undefined
}

export const keyIn: Finder = async (oracle, world) => {
  const { key } = oracle.declared
  const address = 'apiKeys.reporting'
  const isThere = idAt(await recordsOf(world), address) === REPORTER
  if (key === undefined || !isThere || isBlurred(world, oracle, REPORTER)) return undefined
  const desc = key.desc === 'Reports' ? 'Exports' : 'Reports'
  return {
    address,
    id: REPORTER,
    isMadeAnew: false,
    vanish: () => world.service.vanish('apiKey', ORG, REPORTER),
    change: () => declare(oracle, world, { key: { ...key, desc } }),
    takeOut: () => declare(oracle, world, { key: undefined }),
    changed: () => ({ live: truthOf(world).key.desc, wanted: desc }),
  }
}
