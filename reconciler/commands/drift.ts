import { kinds } from '@deploymgmt/provider/kinds'
import { readAndPlan } from '@deploymgmt/provider/engine'
import { driftDocument } from '../drift.ts'
import { NotSupportedError } from '../errors/index.ts'
import type { Io } from '../io.ts'
import { print } from '../io.ts'
import { writeOutput } from '../output.ts'
import { renderDrift, toJson } from '../render/index.ts'
import { readSession } from '../state/index.ts'
import { refuseEmptyTarget, targetOf } from '../target.ts'
import type { CommonOptions } from './options.ts'
import { headOf, styleOf } from './style.ts'
import { withClient } from './with-client.ts'
import {
  addressesIn,
  busyWarnings,
  loadManifests,
  settleUnlessBusy,
  statePathOf,
  withSettled,
} from './workspace.ts'

/** Live against what was last applied. Sends reads alone and writes nothing. */
export const drift = async (io: Io, options: CommonOptions): Promise<number> => {
  if (options.format !== 'text' && options.format !== 'json')
    throw new NotSupportedError(`drift reports as ${options.format} are not part of this version`, {
      hint: 'Use --format text or --format json.',
    })
  const started = io.now()
  return withClient(io, options, async (client, connection) => {
    const statePath = statePathOf(io, options)
    const loaded = await loadManifests(io, options, statePath)
    const { declaration } = loaded
    const session = await readSession({
      statePath,
      expect: { name: declaration.name, baseUrl: connection.baseUrl },
    })
    for (const notice of session.notices) await print(io.stderr, notice)
    const settled = await settleUnlessBusy(session, loaded, client)
    const records = withSettled(session.state.resources, settled)
    refuseEmptyTarget(options.target, addressesIn(declaration, records))
    const target = targetOf(options.target)
    const run = await readAndPlan(client, {
      definitions: kinds,
      declaration,
      records,
      look: 'at-all',
      ...target,
    })
    const found = driftDocument({
      run,
      definitions: kinds,
      records,
      ownKey: client.publicKey,
      target: target?.target,
      requestsSent: client.requestsSent,
    })
    const document = { ...found, warnings: [...busyWarnings(session), ...found.warnings] }
    const { drifted, unverifiable } = document.summary
    const code = drifted > 0 || (options.strict === true && unverifiable > 0) ? 2 : 0
    const text =
      options.format === 'json'
        ? toJson(document, { indent: 2 })
        : renderDrift(
            document,
            headOf(declaration, started, io),
            { ...styleOf(io, options), all: options.all === true },
            code,
          )
    await writeOutput(io, options, text)
    return code
  })
}
