import { type TSchema, Type } from 'typebox'
import { cancelOrphans, settleAlerts } from '../alerts/engine.ts'
import type { ProjectContext } from '../context.ts'
import { notFound } from '../errors.ts'
import { putAgents, putAlertConfigs, putIntegrations } from '../fixture/load-project.ts'
import { buildAutomationStatus } from '../fixture/project-parts.ts'
import { AlertConfigDraft } from '../model/alert-config.ts'
import { AutomationStatusDraft } from '../model/automation.ts'
import { AgentDraft } from '../model/host.ts'
import { Integration } from '../model/integration.ts'
import type { Project } from '../store/records.ts'
import type { ControlCall } from './control-call.ts'

type Replace = (context: ProjectContext, body: never, project: Project) => void

const replacement = (part: string, body: TSchema, example: unknown, replace: Replace): ControlCall => ({
  method: 'PUT',
  path: `/projects/{projectId}/${part}`,
  summary: `Replaces ${part} of a project`,
  body,
  docs: {
    bodies: [example],
    answer: {},
    note: 'The whole new value, as in a fixture. It leaves no events.',
  },
  handle: ({ context }, request) => {
    const project = context.store.get('project', '', request.params['projectId'] ?? '')
    if (!project) throw notFound('GROUP_NOT_FOUND', 'There is no project with this id.')
    settleAlerts(context)
    const within = { ...context, projectId: project.id }
    context.store.transaction(() => replace(within, request.body as never, project))
  },
})

/** Parts that the API cannot write: replaced as a whole, in fixture format. Leaves no events. */
export const projectCalls: readonly ControlCall[] = [
  replacement(
    'agents',
    Type.Array(AgentDraft),
    [{ typeName: 'BACKUP', hostname: 'db1.example.com' }],
    (context, body) => putAgents(context, body),
  ),
  replacement(
    'automationStatus',
    AutomationStatusDraft,
    { goalVersion: 30, processes: [{ lastGoalVersionAchieved: 29 }] },
    (context, body, project) =>
      context.store.put('project', '', project.id, {
        ...project,
        automationStatus: buildAutomationStatus(body),
      }),
  ),
  replacement(
    'integrations',
    Type.Array(Integration),
    [{ type: 'PAGING', serviceKey: '0123456789abcdef' }],
    (context, body) => putIntegrations(context, body),
  ),
  replacement(
    'alertConfigs',
    Type.Array(AlertConfigDraft),
    [{ eventTypeName: 'HOST_DOWN', enabled: true }],
    (context, body) => {
      putAlertConfigs(context, body)
      cancelOrphans(context)
    },
  ),
]
