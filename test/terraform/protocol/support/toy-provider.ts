/**
 * A provider with one resource that remembers its values. The name of the resource chooses what else happens: `noisy`
 * prints, `broken` throws, `slow` waits until it is stopped.
 */
import { connect } from 'node:net'
import { once } from 'node:events'
import { serve, serveReattach } from '../../../../provider/terraform/plugin/server.ts'
import {
  decodeDynamicValue,
  decodeRawState,
  encodeDynamicValue,
} from '../../../../provider/terraform/wire/dynamic-value.ts'
import { type TerraformObject, UNKNOWN } from '../../../../provider/terraform/wire/value.ts'
import { Severity } from '../../../../provider/terraform/wire/common-messages.ts'
import { thing, thingType } from './thing.ts'
import type { Call, ProviderHandlers } from '../../../../provider/terraform/wire/services.ts'

const configType = ['object', {}] as const
const nameAttribute = { steps: [{ attributeName: 'name' }] }

const read = (value: Parameters<typeof decodeDynamicValue>[0]): TerraformObject | null =>
  decodeDynamicValue(value, thingType) as TerraformObject | null

const nameOf = ({ name }: TerraformObject): string => (typeof name === 'string' ? name : '')

/** Tells the test that the call has arrived, over a connection that ends with this process. */
const report = async (signal: AbortSignal): Promise<void> => {
  const path = process.env['TOY_REPORT']
  if (signal.aborted) throw new Error('The call was stopped before it began.')
  if (path !== undefined) connect(path).write('slow\n')
  await once(signal, 'abort')
  // oxlint-disable-next-line no-console -- read by the test
  console.log(JSON.stringify('the slow one was stopped'))
}

const behave = async (state: TerraformObject, { signal }: Call): Promise<void> => {
  if (state['name'] === 'broken') throw new Error('The toy is broken.')
  if (state['name'] === 'slow') await report(signal)
  if (state['name'] !== 'noisy') return
  // oxlint-disable-next-line no-console -- what a library that prints would do
  console.log('a library prints')
  process.stdout.write('and so does another\n')
}

const handlers: ProviderHandlers = {
  getProviderSchema: () => ({
    provider: { block: {} },
    resourceSchemas: { toy_thing: { version: 1, block: thing } },
    serverCapabilities: { planDestroy: true, getProviderSchemaOptional: true },
  }),
  validateProviderConfig: () => ({}),
  configureProvider: ({ config }) => {
    decodeDynamicValue(config, configType)
    return {}
  },
  validateResourceConfig: ({ config }) =>
    read(config)?.['name'] === 'refused'
      ? {
          diagnostics: [
            {
              severity: Severity.error,
              summary: 'No such name',
              detail: 'Another one will do.',
              attribute: nameAttribute,
            },
          ],
        }
      : {},
  upgradeResourceState: ({ rawState }) => ({
    upgradedState: encodeDynamicValue(decodeRawState(rawState, thingType), thingType),
  }),
  readResource: ({ currentState, private: kept }) => ({
    newState: encodeDynamicValue(read(currentState), thingType),
    private: kept,
  }),
  planResourceChange: ({ priorState, proposedNewState, priorPrivate }) => {
    const proposed = read(proposedNewState)
    if (proposed === null) return { plannedState: encodeDynamicValue(null, thingType) }
    const id = read(priorState)?.['id'] ?? UNKNOWN
    return {
      plannedState: encodeDynamicValue({ ...proposed, id, secret: null }, thingType),
      requiresReplace: [nameAttribute],
      plannedPrivate: priorPrivate,
    }
  },
  applyResourceChange: async ({ plannedState }, call) => {
    const planned = read(plannedState)
    if (planned === null) return { newState: encodeDynamicValue(null, thingType) }
    await behave(planned, call)
    const state = { ...planned, id: `thing-${nameOf(planned)}` }
    return { newState: encodeDynamicValue(state, thingType), private: Buffer.from('kept') }
  },
}

// A CommonJS bundle cannot await here.
void (process.argv[2] === 'reattach'
  ? serveReattach(() => handlers, { provider: 'registry.terraform.io/example/toy' })
  : serve(() => handlers))
