import { type Static, Type } from 'typebox'
import { setCondition } from '../alerts/conditions.ts'
import { FixtureProblem } from '../fixture/problems.ts'
import { CurrentValue, optional, record, unitOf } from '../model/common.ts'
import type { ControlCall } from './control-call.ts'

const ConditionBody = record({
  projectId: Type.String(),
  alertConfigId: Type.String(),
  active: Type.Boolean(),
  hostId: optional(Type.String()),
  currentValue: optional(Type.Union([Type.Number(), CurrentValue])),
})

/** Conditions, which cause alerts. */
export const conditionCalls: readonly ControlCall[] = [
  {
    method: 'POST',
    path: '/conditions',
    summary: 'Sets or clears the condition of an alert configuration',
    body: ConditionBody,
    docs: {
      bodies: [
        {
          projectId: '5c8100bcf2a30b12ff88258f',
          alertConfigId: '5d1113b25a115342acc2d1aa',
          active: true,
          hostId: '680ab316473d6b28f966364b947134fc',
          currentValue: 91.5,
        },
        { projectId: '5c8100bcf2a30b12ff88258f', alertConfigId: '5d1113b25a115342acc2d1aa', active: false },
      ],
      answer: { alerts: [{ alertId: '5d1f2a3b4c5d6e7f8091a2b3', status: 'OPEN' }] },
      note: 'Returns the alerts of the configuration. `currentValue` is a number, in the unit of the configuration, or `{"number": 91.5, "units": "RAW"}`. Without `hostId`, a condition that clears closes all of them.',
    },
    handle: ({ context }, { body }) => {
      const { projectId, alertConfigId, hostId, active, currentValue } = body as Static<typeof ConditionBody>
      const { store } = context
      if (!store.get('project', '', projectId)) throw new FixtureProblem('projectId', 'no such project')
      const config = store.get('alertConfig', projectId, alertConfigId)
      if (!config) throw new FixtureProblem('alertConfigId', 'no such alert configuration in the project')
      if (hostId !== undefined && !store.get('host', projectId, hostId)) {
        throw new FixtureProblem('hostId', 'no such host in the project')
      }
      const units = unitOf(config.metricThreshold?.units)
      const value = typeof currentValue === 'number' ? { number: currentValue, units } : currentValue
      return store.transaction(() =>
        setCondition({ ...context, projectId }, config, {
          active,
          ...(hostId === undefined ? {} : { hostId }),
          ...(value === undefined ? {} : { currentValue: value }),
        }),
      )
    },
  },
]
