import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** The state or its journal is at fault: what is sent could no longer be remembered, so that nothing more may be. */
export abstract class LedgerError extends DeploymgmtError {}
