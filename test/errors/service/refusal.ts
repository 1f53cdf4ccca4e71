import type { ErrorCode, ServiceOptions } from '@deploymgmt/service'
import type { Reply } from '../../service/support/client.ts'
import { ids } from '../../service/support/fixture.ts'
import type { TestService } from '../../service/support/service.ts'

/** How to get an error answer, over HTTP, from a service of its own. */
export interface Refusal {
  readonly status: number
  readonly ask: (service: TestService) => Promise<Reply>
  readonly options?: ServiceOptions
}

export type Refusals = Readonly<Partial<Record<ErrorCode, Refusal>>>

export const GROUP = `/groups/${ids.project}`
export const ORG = `/orgs/${ids.org}`
export const NOWHERE = `/groups/${ids.absent}`
export const under = (name: string, value: string): { options: ServiceOptions } => ({
  options: { settings: { [name]: value } },
})
