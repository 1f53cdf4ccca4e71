import type { KindDefinition } from '../../core/index.ts'
import { identityFrom, identityOf, upgradedIdentity } from '../codec/identity.ts'
import { attributePath } from '../codec/names.ts'
import { LOST, readPrivate, writePrivate } from '../codec/private-state.ts'
import { planDiagnostics } from './plan-diagnostics.ts'
import { failingOnce } from './same-cause.ts'
import { find, messages, objectIn, objectOrNull, valueOf, type ServedByType } from '../codec/served.ts'
import { storedState } from '../codec/stored.ts'
import { isConfigured, unconfigured, type Connection } from '../connection/connection.ts'
import { errorAt } from '../diagnostics.ts'
import { applyResource } from '../resource/apply.ts'
import { identityIn } from '../resource/entry.ts'
import { importResource } from '../resource/import.ts'
import { remembered } from '../resource/lost-memory.ts'
import { noteInState } from '../resource/made-once.ts'
import { planResource } from '../resource/plan.ts'
import { readResource } from '../resource/read.ts'
import { validateResource } from '../resource/validate.ts'
import { missingOrganization } from '../resource/watching.ts'
import { isNull } from '../wire/dynamic-value.ts'
import { Mismatch } from '../wire/mismatch.ts'
import type { ProviderHandlers } from '../wire/services.ts'
import { wrongState } from '../words/memory.ts'

type Resources = ServedByType<KindDefinition>
/** The connection at the time of a call. */
type Connected = () => Connection
type Handler<N extends keyof ProviderHandlers> = NonNullable<ProviderHandlers[N]>

/** The calls about resources: decodes messages once, lets the definition handle them, and encodes once. */
export const resourceCalls = (resources: Resources, connected: Connected) => ({
  validateResourceConfig: validating(resources),
  upgradeResourceState: upgrading(resources),
  upgradeResourceIdentity: upgradingIdentity(resources),
  readResource: reading(resources, connected),
  planResourceChange: planning(resources, connected),
  applyResourceChange: applying(resources, connected),
  importResourceState: importing(resources, connected),
})

const validating =
  (resources: Resources): Handler<'validateResourceConfig'> =>
  ({ typeName, config, clientCapabilities }) => {
    const it = find(resources, typeName)
    const writeOnlyAttributesAllowed = clientCapabilities?.writeOnlyAttributesAllowed === true
    const found = validateResource(it, objectIn(config, it.block), { writeOnlyAttributesAllowed })
    return { diagnostics: messages(found) }
  }

const upgrading =
  (resources: Resources): Handler<'upgradeResourceState'> =>
  ({ typeName, rawState }) => {
    const it = find(resources, typeName)
    try {
      return { upgradedState: storedState(it, rawState) }
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error
      return { diagnostics: messages([errorAt(undefined, wrongState(it.definition, error.message))]) }
    }
  }

const upgradingIdentity =
  (resources: Resources): Handler<'upgradeResourceIdentity'> =>
  ({ typeName, rawIdentity }) => ({
    upgradedIdentity: upgradedIdentity(find(resources, typeName).definition, rawIdentity),
  })

const reading =
  (resources: Resources, connected: Connected): Handler<'readResource'> =>
  async ({ typeName, currentState, private: kept, currentIdentity: newIdentity }) => {
    const { definition, block } = find(resources, typeName)
    const connection = connected()
    const state = objectOrNull(currentState, block)
    if (state === null) return { newState: currentState, private: kept }
    const asItWas = { newState: currentState, private: kept, newIdentity }
    if (!isConfigured(connection))
      // The plan cannot be applied: one error says why.
      return connection.saidOnce.isFirst(['not-read-unconfigured'])
        ? { ...asItWas, diagnostics: messages([unconfigured(connection)]) }
        : asItWas
    const readAgain = readResource(definition, state, readPrivate(kept), connection)
    const read = await failingOnce(readAgain, connection.saidOnce, undefined)
    if (read === undefined) return asItWas
    if (read.state !== null) noteInState(definition, read.state, connection)
    const unwatched = missingOrganization(definition, state, connection)
    return {
      newState: valueOf(read.state, block),
      private: writePrivate(read.private),
      newIdentity: identityOf(definition, read.state),
      diagnostics: messages([...read.diagnostics, ...unwatched]),
    }
  }

const planning =
  (resources: Resources, connected: Connected): Handler<'planResourceChange'> =>
  async ({ typeName, priorState, proposedNewState, config, priorPrivate, priorIdentity }) => {
    const { definition, block } = find(resources, typeName)
    const connection = connected()
    const prior = objectOrNull(priorState, block)
    const handed = readPrivate(priorPrivate)
    const kept =
      prior !== null && isConfigured(connection)
        ? remembered(definition, prior, handed, connection.client.serviceNow())
        : handed
    const given = { prior, config: objectOrNull(config, block), kept }
    const proposed = objectOrNull(proposedNewState, block)
    const found = planResource(definition, { ...given, proposed })
    const { planned, replacedBy } = found
    const change = { ...given, planned }
    return {
      plannedState: valueOf(planned, block),
      requiresReplace: replacedBy.map(attributePath),
      // A plan must not depend on the time, so the apply reads the attributes once more.
      plannedPrivate: kept === handed ? priorPrivate : writePrivate(LOST),
      plannedIdentity:
        planned === null ? priorIdentity : identityOf(definition, planned, { isNew: prior === null }),
      diagnostics: messages(await planDiagnostics(definition, change, found, connection)),
    }
  }

const applying =
  (resources: Resources, connected: Connected): Handler<'applyResourceChange'> =>
  async ({ typeName, priorState, plannedState, config, plannedPrivate, plannedIdentity }) => {
    const { definition, block } = find(resources, typeName)
    const connection = connected()
    if (!isConfigured(connection))
      return {
        newState: priorState,
        private: plannedPrivate,
        newIdentity: isNull(priorState) ? undefined : plannedIdentity,
        diagnostics: messages([unconfigured(connection)]),
      }
    const change = {
      prior: objectOrNull(priorState, block),
      planned: objectOrNull(plannedState, block),
      config: objectOrNull(config, block),
      kept: readPrivate(plannedPrivate),
    }
    const applied = await applyResource(definition, change, connection)
    return {
      newState: valueOf(applied.state, block),
      private: writePrivate(applied.private),
      newIdentity: identityOf(definition, applied.state),
      diagnostics: messages(applied.diagnostics),
    }
  }

const importing =
  (resources: Resources, connected: Connected): Handler<'importResourceState'> =>
  ({ typeName, id, identity }) => {
    const { definition, block } = find(resources, typeName)
    const connection = connected()
    if (!isConfigured(connection)) return { diagnostics: messages([unconfigured(connection)]) }
    // Terraform passes one or the other.
    const named =
      identity === undefined ? id : identityIn(definition, identityFrom(definition, identity).values)
    const imported = importResource(definition, named)
    if ('problems' in imported) return { diagnostics: messages(imported.problems) }
    const importedAt = new Date(connection.client.serviceNow()).toISOString()
    const kept = writePrivate({ is: 'imported', importedAt, untold: true })
    const { state } = imported
    const resource = { state: valueOf(state, block), identity: identityOf(definition, state) }
    return { importedResources: [{ typeName, ...resource, private: kept }] }
  }
