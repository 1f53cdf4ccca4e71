import type { Effect, Intended, Intent, Learnt, Ledger, Records } from '@deploymgmt/provider/engine'
import type { DeploymgmtError } from '@deploymgmt/provider/errors'
import { LedgerError } from '../errors/index.ts'

/**
 * The ledger as seen by one change. If the ledger cannot write any more, that hides nothing of how the change ended;
 * the change continues until it would send something else.
 */
export class ChangeLedger implements Ledger {
  readonly #ledger: Ledger
  #failure: LedgerError | undefined
  #hasRecorded = false

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  /** Why a record was not kept; undefined if all were. */
  get failure(): LedgerError | undefined {
    return this.#failure
  }

  /** Whether anything was recorded that was done or tried. */
  get hasRecorded(): boolean {
    return this.#hasRecorded
  }

  get records(): Records {
    return this.#ledger.records
  }

  get unrecorded(): NonNullable<Ledger['unrecorded']> {
    return this.#ledger.unrecorded ?? []
  }

  async intent(intent: Intent): Promise<Intended> {
    if (this.#failure !== undefined) throw this.#failure
    return this.#ledger.intent(intent)
  }

  withdrawn(n: number): Promise<void> {
    return this.#noting(() => this.#ledger.withdrawn(n))
  }

  answered(...told: Parameters<Ledger['answered']>): Promise<void> {
    return this.#tell(() => this.#ledger.answered(...told))
  }

  refused(n: number, error: DeploymgmtError): Promise<void> {
    return this.#tell(() => this.#ledger.refused(n, error))
  }

  unknown(n: number, error: DeploymgmtError): Promise<void> {
    return this.#tell(() => this.#ledger.unknown(n, error))
  }

  effects(effects: readonly Effect[]): Promise<void> {
    return this.#tell(() => this.#ledger.effects(effects))
  }

  learnt(kind: string, fact: Learnt): Promise<void> {
    return this.#noting(() => this.#ledger.learnt(kind, fact))
  }

  #tell(telling: () => Promise<void>): Promise<void> {
    this.#hasRecorded = true
    return this.#noting(telling)
  }

  async #noting(telling: () => Promise<void>): Promise<void> {
    try {
      await telling()
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error
      this.#failure ??= error
    }
  }
}
