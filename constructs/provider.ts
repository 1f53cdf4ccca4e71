import type { Construct } from 'constructs'
import { watchForConflicts } from './conflicts.ts'
import { DeploymgmtProvider as Generated, type DeploymgmtProviderConfig } from './generated/all.ts'

/** The provider of a stack; as every stack needs one, it is what has each of them looked at for contradictions. */
export class DeploymgmtProvider extends Generated {
  constructor(scope: Construct, id: string, config?: DeploymgmtProviderConfig) {
    super(scope, id, config)
    watchForConflicts(this)
  }
}
