import { GuardError } from '../../errors/index.ts'
import type { Need } from '../values/model.ts'

/** Somebody else acted while an intent was being written down, and no flag allows writing over that. */
export class Overtaken extends GuardError {
  readonly missing: readonly Need[]

  constructor(missing: readonly Need[]) {
    super(missing.map(({ flag, because, address = '' }) => ({ flag, because: because.code, address })))
    this.missing = missing
  }
}
