import { kinds } from '@deploymgmt/provider/kinds'
import { driftsIn } from '@deploymgmt/provider/engine'
import { NotSupportedError } from '../errors/index.ts'
import type { Io } from '../io.ts'
import { writeOutput } from './output.ts'
import { commandWords, driftDocument, renderDrift, toJson } from '../render/index.ts'
import type { CommonOptions } from './options.ts'
import { withRun } from './read-run.ts'
import { headOf, styleOf } from './style.ts'
import { busyWarnings, stateFileOf } from './workspace.ts'

/** Live against what was last applied. Sends reads alone and writes nothing. */
export const drift = async (io: Io, options: CommonOptions): Promise<number> => {
  if (options.format !== 'text' && options.format !== 'json')
    throw new NotSupportedError(`drift reports as ${options.format} are not part of this version`, {
      hint: 'Use --format text or --format json.',
    })
  const started = io.now()
  return withRun(io, options, 'at-all', async ({ client, loaded, session, records, target, run }) => {
    const { declaration } = loaded
    const noState = session.exists
      ? []
      : [
          `there is no state file ${stateFileOf(options)}: nothing is recorded as applied that could have drifted`,
        ]
    const found = driftDocument(
      {
        drifts: driftsIn({ run, definitions: kinds, records, target: target?.target }),
        checkedAt: run.now,
        targeted: run.plan.targeted,
        warnings: run.plan.warnings,
        requestsSent: client.requestsSent,
      },
      commandWords(declaration.projectNames),
    )
    const document = { ...found, warnings: [...busyWarnings(session), ...noState, ...found.warnings] }
    const { drifted, unverifiable } = document.summary
    const code = drifted > 0 || (options.strict === true && unverifiable > 0) ? 2 : 0
    const text =
      options.format === 'json'
        ? toJson(document, { indent: 2 })
        : renderDrift(
            document,
            headOf(declaration, started, io),
            { ...styleOf(io, options, declaration.projectNames), all: options.all === true },
            code,
          )
    await writeOutput(io, options, text)
    return code
  })
}
