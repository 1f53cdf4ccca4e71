import { expect } from 'vitest'
import type { Act } from '../known/acts.ts'
import { CALLER, CONFIGS, LEDGER, PROJECT, REPORTER } from '../fixture.ts'
import type { Oracle } from '../known/oracle.ts'
import { silencedIn } from '../known/silenced.ts'
import type { World } from '../world.ts'

/** When a request was sent, and when it arrived. */
export interface OnItsWay {
  readonly from: number
  readonly to: number
}

/** However an apply ends, it touches only what is declared, or what an apply has made or changed before. */
export const checkTouched = (world: World, oracle: Oracle, run: number, late?: OnItsWay): void => {
  const silenced = silencedIn(world, oracle)
  const ours = madeByRuns(world).flatMap(({ id }) => (silenced.has(id) ? [] : [id]))
  const made = new Set([...ours, ...oracle.taken])
  for (const act of world.actsOf(run)) {
    const { kind, after, before } = act
    if (kind === 'window') checkWindow(act, made, late)
    else if (kind === 'alertConfig') checkConfig(act, oracle)
    else if (kind === 'user') expect([...oracle.met]).toContain((after ?? before).username)
    else if (kind === 'integration') checkDeletion(act, oracle)
    else checkKey(act, oracle)
  }
}

const checkWindow = (
  { id, at, before, after }: Act,
  made: ReadonlySet<string>,
  late: OnItsWay | undefined,
): void => {
  expect([...made], 'a window that no run has made').toContain(id)
  const sentAt = at === late?.to ? late.from : at
  if (before === undefined)
    expect(Date.parse(after.endDate), 'the end of a new window').toBeGreaterThan(sentAt)
}

/** The windows and users that runs have made. */
export const madeByRuns = ({ service }: World): readonly Act[] =>
  service.acts.filter(({ by, before }) => by === 'run' && before === undefined)

const checkConfig = ({ id, after }: Act, oracle: Oracle): void => {
  expect([...oracle.met], 'a configuration that nobody has declared').toContain(id)
  const { configs } = oracle.declared
  const named = Object.values(configs).find((each) => CONFIGS[each?.index ?? -1] === id)
  const wanted = named?.enabled ?? oracle.wants(id)
  if (wanted !== undefined) expect({ id, enabled: after.enabled }).toEqual({ id, enabled: wanted })
}

/** No history takes away what the key of the runs needs. */
const checkKey = ({ kind, id, after }: Act, { declared }: Oracle): void => {
  expect({ kind, id: id === CALLER && declared.caller !== undefined ? REPORTER : id }).toEqual({
    kind: 'apiKey',
    id: REPORTER,
  })
  if (id === CALLER) expect(after.roles.map(({ roleName }: any) => roleName)).toContain('ORG_OWNER')
}

const checkDeletion = ({ id, parent }: Act, { declared }: Oracle): void => {
  const isMeant =
    (parent === PROJECT && id === 'CHAT_A' && declared.chat === 'absent') ||
    (parent === LEDGER && declared.listed?.includes(id) === false)
  expect({ id, parent, isMeant }).toMatchObject({ isMeant: true })
}
