import type { Construct } from 'constructs'
import { watchForConflicts } from './conflicts.ts'
import { DeploymgmtProvider as Generated, type DeploymgmtProviderConfig } from './generated/all.ts'

/** The provider of a stack. Every stack has one, so it starts the search for contradictions. */
export class DeploymgmtProvider extends Generated {
  constructor(scope: Construct, id: string, config?: DeploymgmtProviderConfig) {
    super(scope, id, config)
    watchForConflicts(this)
  }
}
