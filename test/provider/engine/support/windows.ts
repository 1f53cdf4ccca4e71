import { kinds } from '@deploymgmt/provider/kinds'
import {
  applyEffects,
  carryOut,
  readAndPlan,
  type Declaration,
  type Effect,
  type EngineClient,
  type Entry,
  type Ledger,
  type RecordedResource,
} from '@deploymgmt/provider/engine'
import type { Values } from '@deploymgmt/provider/core'

const PROJECT = '5c8100bcf2a30b12ff88258f'
export const DAY = 86_400_000

/** A service that has only windows, in memory, and a clock that stands still until it is set. */
export class Windows {
  now = 0
  readonly created: Values[] = []
  readonly changed: { readonly id: string; readonly body: Values }[] = []
  readonly records: Record<string, RecordedResource> = {}

  /** Plans the entries at an instant, carries out the whole plan, and returns `ACTION ADDRESS` for each change. */
  async run(at: string | number, entries: readonly Entry[]): Promise<string[]> {
    this.now = typeof at === 'number' ? at : Date.parse(at)
    const { plan } = await readAndPlan(this.client, {
      definitions: kinds,
      declaration: declarationOf(entries),
      records: this.records,
      look: 'for-plan',
    })
    const context = { client: this.client, ledger: this.#ledger, definitions: kinds }
    for (const planned of plan.planned)
      await carryOut(planned, { ...context, allowed: new Set(), secret: () => Promise.resolve('') })
    return plan.planned.map(({ change }) => `${change.action} ${change.address}`)
  }

  readonly client = {
    publicKey: 'ciadmin',
    requestsSent: 1,
    skewMs: 0,
    serviceNow: () => this.now,
    serviceNotBefore: () => this.now,
    send: (method: string, path: string, body: Values) => {
      const id = method === 'POST' ? String(this.created.length).padStart(24, '0') : path.split('/').at(-1)
      if (method === 'POST') this.created.push(body)
      else this.changed.push({ id: id ?? '', body })
      const span = { sentAt: this.now, answeredAt: this.now }
      const groupId = path.split('/')[2]
      return Promise.resolve({ status: 200, headers: {}, body: { ...body, id, groupId }, ...span })
    },
  } as unknown as EngineClient

  readonly #ledger: Ledger = {
    records: this.records,
    intent: ({ at }) => Promise.resolve({ n: 1, at }),
    answered: (_, __, effects) => this.#keep(effects),
    refused: () => Promise.resolve(),
    withdrawn: () => Promise.resolve(),
    unknown: () => Promise.resolve(),
    effects: (effects) => this.#keep(effects),
    learnt: () => Promise.resolve(),
  }

  #keep(effects: readonly Effect[]): Promise<void> {
    applyEffects(this.records, effects)
    return Promise.resolve()
  }
}

const declarationOf = (entries: readonly Entry[]): Declaration => ({
  name: 'test',
  entries,
  organizations: new Map(),
  orgIds: [],
  projectNames: new Map(),
})

/** A declared window. */
export const windowAs = (name: string, values: Values): Entry => ({
  kind: 'maintenance_window',
  address: `maintenanceWindows.${name}`,
  values: { projectId: PROJECT, alertTypeNames: ['HOST'], ...values },
  onRemove: 'end',
  protect: false,
  ignoreChanges: [],
  declaredAt: undefined,
})
