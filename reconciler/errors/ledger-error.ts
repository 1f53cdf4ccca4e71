import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** The state or its journal is at fault: requests could no longer be recorded, so none may be sent. */
export abstract class LedgerError extends DeploymgmtError {}
