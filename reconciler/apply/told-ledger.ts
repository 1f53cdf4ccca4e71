import type { Effect, Intended, Intent, Learnt, Ledger, Records } from '@deploymgmt/provider/engine'
import type { DeploymgmtError } from '@deploymgmt/provider/errors'
import { InternalError, LedgerError } from '../errors/index.ts'

/**
 * The ledger as one change tells it. What it cannot take any more hides nothing of how the change has ended, which goes
 * on until it would send something else.
 */
export class ToldLedger implements Ledger {
  readonly #ledger: Ledger
  #failure: DeploymgmtError | undefined
  #hasTold = false
  readonly #halted: () => DeploymgmtError | undefined
  #kept: Promise<unknown> = Promise.resolve()

  /** @param halted why nothing more is to be sent, if that is so */
  constructor(ledger: Ledger, halted: () => DeploymgmtError | undefined) {
    this.#ledger = ledger
    this.#halted = halted
  }

  /** Resolves when all answers are kept, or `failure` tells why not. */
  get kept(): Promise<unknown> {
    return this.#kept
  }

  /** Why something that it was told was not taken; undefined where all was. */
  get failure(): DeploymgmtError | undefined {
    return this.#failure
  }

  /** Whether it was told of anything that has been done, or was tried. */
  get hasTold(): boolean {
    return this.#hasTold
  }

  get records(): Records {
    return this.#ledger.records
  }

  get unrecorded(): NonNullable<Ledger['unrecorded']> {
    return this.#ledger.unrecorded ?? []
  }

  async intent(intent: Intent): Promise<Intended> {
    const failure = this.#failure ?? this.#halted()
    if (failure !== undefined) throw failure
    return this.#ledger.intent(intent)
  }

  withdrawn(n: number): Promise<void> {
    return this.#noting(() => this.#ledger.withdrawn(n))
  }

  /** Resolves before it is kept: an intent that comes after it is kept after it, or not at all. */
  async answered(...told: Parameters<Ledger['answered']>): Promise<void> {
    const keeping = this.#tell(() => this.#ledger.answered(...told)).catch((error: unknown) => {
      this.#failure ??= new InternalError(error)
    })
    this.#kept = Promise.all([this.#kept, keeping])
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
    this.#hasTold = true
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
