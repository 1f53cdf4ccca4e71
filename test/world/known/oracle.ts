import type { Act } from './acts.ts'
import { PROJECTS, ROLES, selectedBy, windowValues, type Declared, type DeclaredWindow } from './declared.ts'
import { CONFIGS } from '../fixture.ts'
import type { Neighbour } from './neighbour.ts'
import type { World } from '../world.ts'

/**
 * Events tell whole seconds, so they cannot tell whether something this close to a write of ours was before or after
 * it.
 */
export const CLOSE_MS = 5_000

/** What a person accepted of an address, and what was true then. */
interface AcceptedThen {
  readonly id: string
  readonly enabled: boolean | undefined
  readonly at: number
  readonly until: number | undefined
}

/** What a saved plan was made from. */
export interface Basis {
  readonly declared: string
  readonly state: string
  readonly acts: number
  readonly at: number
  readonly configs: ReadonlyMap<string, boolean>
  readonly integrations: string
  /** What the saved plan shows. */
  readonly document: any
}

/** From one time to an earlier one, in milliseconds; the time between was lived twice. */
interface SetBack {
  readonly from: number
  readonly to: number
  /** How many acts there were before that. */
  readonly acts: number
}

/** What the steps of a history did, kept apart from the world: it shares nothing with what it judges. */
export class Oracle {
  declared: Declared
  /** When a person accepted what had happened to a thing (`state accept`), by its id. */
  readonly accepted = new Map<string, number>()
  /** What a person accepted of a drift (`drift accept`), by address. */
  readonly drifts = new Map<string, AcceptedThen>()
  /** Since when reports have shown an address as pending, without an apply in between. */
  readonly pending = new Map<string, number>()
  /** When an apply of everything declared last wrote something and ended well. */
  reachedAt = 0
  /** Windows that nobody manages any more and that stay as they are. */
  readonly left = new Set<string>()
  /** The runs of `deploymgmt silence`, which do not concern the manifest. */
  readonly silences = new Set<number>()
  /** A request of a silence may have an unknown outcome. */
  isSilenceLost = false
  /** Windows that a person has disowned (`state disown`). */
  readonly disowned = new Set<string>()
  /** Configurations, by id, and users, by name, that were declared at some apply. */
  readonly met = new Set<string>()
  /** Windows of others that were declared by their ids at some apply. */
  readonly taken = new Set<string>()
  /** All that each window was declared as since an apply last ended well, by name. */
  meant = new Map<string, readonly DeclaredWindow[]>()
  /** What the saved plan was made from, if there is one. */
  saved: Basis | undefined
  /** An answer was lost: until an apply ends well, the oracle does not know what the last one did either. */
  isUncertain = false
  /** The state is in a place that each machine can reach. */
  isElsewhere = false
  /** The key of the runs was replaced. */
  isKeyNew = false
  /** What somebody has deleted by hand, as long as that concerns the steps. */
  gone: string | undefined
  /** A second checkout, with an oracle of its own. */
  second: { readonly world: World; readonly oracle: Oracle } | undefined
  /** Another manifest, if there is one. */
  neighbour: Neighbour | undefined
  /** Set if the service's clock was set back, which happens once at most. */
  setBack: SetBack | undefined
  /** When the last apply began: it may not know of what became readable later. */
  beganAt = 0
  /** What was recorded when the last apply began. */
  recordsThen: any = {}

  constructor(declared: Declared) {
    this.declared = declared
  }

  /** Call this when an apply begins: what is declared now counts from here on. `made` is what runs have created. */
  begins(records: any, made: readonly Act[]): void {
    this.pending.clear()
    this.recordsThen = records
    const { configs, selected, users, windows, pat } = this.declared
    for (const each of Object.values(configs)) if (each !== undefined) this.met.add(CONFIGS[each.index] ?? '')
    for (const id of selectedBy(selected)) this.met.add(id)
    for (const name of [...Object.keys(users), ...(pat === undefined ? [] : ['pat'])])
      this.met.add(`${name}@example.com`)
    for (const window of Object.values(windows))
      if (window?.windowId !== undefined) this.taken.add(window.windowId)
    for (const [name, window] of Object.entries(windows))
      if (window !== undefined) this.meant.set(name, [...(this.meant.get(name) ?? []), window])
    for (const [address, { identity }] of Object.entries<any>(records))
      if (this.meant.get(address.replace('maintenanceWindows.', ''))?.some(mayBeLeft) === true)
        this.left.add(identity.id)
    const recorded = new Set(Object.values<any>(records).map(({ identity }) => identity.id))
    for (const act of made)
      if (act.kind === 'window' && !recorded.has(act.id) && this.#mayBeLeft(act)) this.left.add(act.id)
  }

  /** A lost creation is released as its entry said, once it is no longer declared; so it may be left as it is. */
  #mayBeLeft(act: Act): boolean {
    const isOf = (window: DeclaredWindow | undefined): boolean =>
      window !== undefined && isMadeOf(act, window)
    return (
      [...this.meant.values()].flat().some((window) => mayBeLeft(window) && isOf(window)) &&
      !Object.values(this.declared.windows).some(isOf)
    )
  }

  endedWell(): void {
    this.isUncertain = false
    this.meant = new Map(
      Object.entries(this.declared.windows).map(([name, each]) => [name, each === undefined ? [] : [each]]),
    )
  }

  /** The same knowledge, for the runner of a copied state. */
  copied(): Oracle {
    const { accepted, left, disowned, met, taken, meant, silences, neighbour } = this
    const known = structuredClone({ accepted, left, disowned, met, taken, meant, silences })
    return Object.assign(new Oracle(this.declared), known, { neighbour })
  }

  /** The id that is declared at an address. */
  configAt(address: string): string | undefined {
    return CONFIGS[this.declared.configs[address.replace('alertConfigurations.', '')]?.index ?? -1]
  }

  /** Whether a configuration has to be on; undefined if that is not declared, or is ignored. */
  wants(id: string): boolean | undefined {
    const { configs, selected } = this.declared
    const named = Object.values(configs).find((each) => CONFIGS[each?.index ?? -1] === id)
    if (named !== undefined) return named.isIgnored ? undefined : named.enabled
    return selectedBy(selected).includes(id) ? selected?.enabled : undefined
  }
}

/** Many steps make sense only while it is known what the last apply did. */
export const isSure = ({ isUncertain }: Readonly<Oracle>): boolean => !isUncertain

const mayBeLeft = ({ onRemove }: DeclaredWindow): boolean => onRemove === 'forget'

const isMadeOf = ({ parent, after }: Act, window: DeclaredWindow): boolean => {
  const { startDate, endDate } = windowValues(window)
  return parent === PROJECTS[window.project] && after.startDate === startDate && after.endDate === endDate
}

/** A role as text, from the form of the service or of a manifest. */
export const roleText = ({ roleName, orgId, groupId, projectId }: any): string =>
  `${roleName} ${orgId ?? groupId ?? projectId ?? ''}`
export const roleTexts = (roles: readonly (keyof typeof ROLES)[]): string[] =>
  roles.map((role) => roleText(ROLES[role]))

/** What others did to a thing since a run last wrote it, or since a person accepted it. */
interface Foreign {
  /** All of it, by the order in which the service stored it. */
  readonly since: readonly Act[]
  /** Those of `since` that events tell by now, and that cannot be taken for the run's own. */
  readonly evident: readonly Act[]
  /**
   * What may count as well. Acts right before that write, because events do not tell which came first; and acts before
   * an acceptance by a person who could not see them: their events came later, and count unless they are too old by
   * then.
   */
  readonly unclear: readonly Act[]
}

export const foreignTo = (
  { service, now }: Pick<World, 'service' | 'now'>,
  oracle: Oracle,
  id: string,
): Foreign => {
  const about = service.acts.filter((act) => act.id === id)
  const last = about.findLastIndex(({ by }) => by === 'run')
  const acceptedAt = oracle.accepted.get(id) ?? 0
  const ownAt = about[last]?.at ?? 0
  // While a run waits for an answer, others can write; so its span begins when it read events.
  const ownFrom = Math.min(ownAt - CLOSE_MS, service.looks.get(about[last]?.run ?? 0)?.[0] ?? ownAt)
  const isUnseen = ({ at, seenFrom }: Act): boolean => at < acceptedAt && seenFrom > acceptedAt
  const byOthers = about.filter(({ by }) => by !== 'run')
  const others = byOthers.filter(({ at }) => at >= acceptedAt)
  const since = others.filter((act) => about.indexOf(act) > last)
  const isOrdered = (act: Act): boolean =>
    !isLivedTwice(oracle, [act.at, ownAt, acceptedAt]) ||
    isAfterSetBack(service.acts, act, { oracle, ownAt, now })
  return {
    since,
    evident: since.filter((act) => act.seenFrom <= now && !looksOwn(about, act) && isOrdered(act)),
    unclear: [
      ...others.filter((act) => about.indexOf(act) < last && (act.at >= ownFrom || !isOrdered(act))),
      ...byOthers.filter((act) => isUnseen(act) && act.at >= ownFrom),
      // The acceptance was before the clock was set back, and the act after it.
      ...byOthers.filter(
        (act) =>
          act.at < acceptedAt &&
          acceptedAt > now &&
          service.acts.indexOf(act) >= (oracle.setBack?.acts ?? Infinity),
      ),
    ],
  }
}

/** Whether its event can be taken for that of the run's write right before: the key is the same, and so is the time. */
export const looksOwn = (acts: readonly Act[], act: Act): boolean =>
  act.by === 'twin' &&
  acts
    .slice(0, acts.indexOf(act))
    .some(({ id, by, at }) => id === act.id && by === 'run' && act.at <= at + CLOSE_MS)

/** Whether one of these times was lived twice, so that events do not tell what came before it and what after. */
export const isLivedTwice = ({ setBack }: Oracle, times: readonly number[]): boolean =>
  setBack !== undefined &&
  // If a write lies ahead of the clock, events are read from as far behind the clock on.
  times.some((at) => at >= 2 * setBack.to - setBack.from - CLOSE_MS && at <= setBack.from + CLOSE_MS)

/** Whether an act after the clock was set back is told, because our earlier write still lies ahead of the clock. */
const isAfterSetBack = (
  acts: readonly Act[],
  act: Act,
  {
    oracle: { setBack },
    ownAt,
    now,
  }: { readonly oracle: Oracle; readonly ownAt: number; readonly now: number },
): boolean =>
  setBack !== undefined &&
  acts.indexOf(act) >= setBack.acts &&
  // What our key did can be an earlier write of the run that no record knows any more.
  act.by !== 'twin' &&
  ownAt > now + CLOSE_MS &&
  act.at > 2 * now - ownAt + CLOSE_MS

/** The latest time that the service has shown: what was over then stays over. */
export const latestOf = ({ now }: World, { setBack }: Oracle): number => Math.max(now, setBack?.from ?? 0)

/**
 * Whether the last apply could not know what others did to a thing: a person had accepted it, no event told it when the
 * apply began, or it was too close to a write of ours.
 */
export const isBlurred = (world: World, oracle: Oracle, id: string): boolean => {
  const asOf = { service: world.service, now: oracle.beganAt }
  const { since, evident, unclear } = foreignTo(asOf, oracle, id)
  const { by, at } = world.service.acts.findLast((act) => act.id === id) ?? { by: 'run', at: 0 }
  const isAccepted = by !== 'run' && at < (oracle.accepted.get(id) ?? 0)
  return isAccepted || unclear.length > 0 || since.length > evident.length
}

/** Who gave a configuration its live value. */
export const lastToSet = (acts: readonly Act[], id: string): Act | undefined =>
  acts.findLast((act) => act.id === id && act.before?.enabled !== act.after?.enabled)
