import { parseAddress } from '@deploymgmt/provider/engine'
import type { ReportedDrift } from '../document/drift-model.ts'
import type { ReportedChange } from '../document/plan-model.ts'

/** What people call projects, by id. */
type Names = ReadonlyMap<string, string> | undefined

/** The name of a project, if there are several to tell apart. */
export const projectBeside = (id: unknown, names: Names): string | undefined =>
  names === undefined || names.size < 2 || typeof id !== 'string' ? undefined : names.get(id)

/** The name of the project whose id an address contains. */
export const projectWithin = (address: string, names: Names): string | undefined =>
  projectBeside(parseAddress(address).keys[0], names)

/** `integrations.paging[5c81…] (payments)`. */
export const withProject = (address: string, names: Names): string => {
  const project = projectWithin(address, names)
  return project === undefined ? address : `${address} (${project})`
}

/** What the address of a change does not say: `project payments, HOST_DOWN`. */
export const besideChange = (
  { what, before, after }: Pick<ReportedChange, 'what' | 'before' | 'after'>,
  names: Names,
): Beside => beside(what, (after ?? before)?.['projectId'], names)

/** The same of a thing in a drift report. */
export const besideDrift = (
  { what, identity }: Pick<ReportedDrift, 'what' | 'identity'>,
  names: Names,
): Beside => beside(what, identity?.['projectId'], names)

interface Beside {
  readonly what?: string
}

const beside = (what: string | undefined, projectId: unknown, names: Names): Beside => {
  const project = projectBeside(projectId, names)
  const said = [project === undefined ? undefined : `project ${project}`, what].filter(
    (part) => part !== undefined,
  )
  return said.length === 0 ? {} : { what: said.join(', ') }
}
