import { fixture, ORG, projectId } from '../fixtures/alert-configurations.ts'
import { inTurn, median } from '../measuring/figures.ts'
import { requestsOf } from '../measuring/site.ts'
import { configurations, settle, workspace, type Workspace } from '../measuring/through-provider.ts'
import type { Bench, Row } from '../row.ts'

const SWITCHED = { things: 100, how: 'count' } as const
const [FEW, MANY] = [100, 5_000]
const EVENTS = 40_000

/** A project with so many configurations, a hundred of which Terraform manages. */
const projectOf = (bench: Bench, things: number): Promise<Workspace> =>
  bench.once(`updated-${String(things)}`, async () => {
    const here = await workspace(bench, `updated-${String(things)}`, fixture({ things, projects: 1 }))
    await settle(here, SWITCHED)
    return here
  })

/** Switches all hundred; every second time undoes the time before. */
const switching = ({ configure, terraform }: Workspace) => {
  let enabled = true
  return async () => {
    enabled = !enabled
    await configure(configurations(SWITCHED, enabled))
    return terraform('apply', '-auto-approve')
  }
}

/** An event for each hour, the newest from yesterday. */
const hourly = (): object[] =>
  Array.from({ length: EVENTS }, (_, index) => ({
    id: `6b0000000000${(EVENTS - index).toString(16).padStart(12, '0')}`,
    eventTypeName: 'ALERT_CONFIG_ADDED_AUDIT',
    created: new Date(Date.now() - (index + 24) * 3_600_000).toISOString().replace(/\.\d+Z$/v, 'Z'),
  }))

const WINDOW = `resource "deploymgmt_maintenance_window" "migration" {
  project_id       = "${projectId(0)}"
  alert_type_names = ["HOST"]
  start_date       = "2090-01-06T02:00:00Z"
  end_date         = "2090-01-06T04:00:00Z"
  description      = "Storage migration"
}
`

export const terraformRequests: readonly Row[] = [
  {
    name: 'terraform-writes',
    says: 'requests / writes of a `terraform apply` of 100 updates in a project of 5,000',
    target: 1.3,
    measure: async (bench) => {
      const here = await projectOf(bench, MANY)
      const counts = await requestsOf(here.site, switching(here))
      const requests = Object.values(counts).reduce((sum, each) => sum + each, 0)
      const { PATCH: writes = 0 } = counts
      return { value: requests / writes, from: { requests, writes } }
    },
  },
  {
    name: 'terraform-writes-growth',
    says: '`terraform apply` of 100 updates in a project of 5,000 / in one of 100, wall',
    target: 1.1,
    measure: async (bench) => {
      const [few, many] = await Promise.all([projectOf(bench, FEW), projectOf(bench, MANY)])
      const taken = await inTurn(bench.runs, { few: switching(few), many: switching(many) })
      const [fewMs, manyMs] = [taken.few, taken.many].map((costs) =>
        median(costs.map(({ wallMs }) => wallMs)),
      ) as [number, number]
      return { value: manyMs / fewMs, from: { [`of ${FEW} ms`]: fewMs, [`of ${MANY} ms`]: manyMs } }
    },
  },
  {
    name: 'terraform-events',
    says: 'requests for events of a `terraform plan` of a fresh window, in an organization of 40,000',
    target: 2,
    measure: async (bench) => {
      const held = fixture({ things: 1, projects: 1 }) as { organizations: { id: string }[] }
      const organizations = held.organizations.map((each) =>
        each.id === ORG ? { ...each, events: hourly() } : each,
      )
      const { site, terraform, configure } = await workspace(bench, 'events', { ...held, organizations })
      await configure(WINDOW)
      await terraform('apply', '-auto-approve')
      await site.control('DELETE', 'requests')
      await terraform('plan', '-detailed-exitcode')
      const { log } = (await site.control('GET', 'requests')) as { log: { path: string }[] }
      const events = log.filter(({ path }) => path.includes('/events')).length
      return { value: events, from: { 'requests in all': log.length } }
    },
  },
]
