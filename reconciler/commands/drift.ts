import { kinds } from '@deploymgmt/provider/kinds'
import { driftsIn } from '@deploymgmt/provider/engine'
import type { LoadedDeclaration } from '../config/index.ts'
import type { Io } from '../io.ts'
import { driftDocument, type SaidDrift } from '../render/document.ts'
import { withWaysOut } from '../render/ways-out.ts'
import { commandWords } from '../render/words.ts'
import { sameFlagsOf, type CommonOptions } from './options.ts'
import { withRun } from './read-run.ts'
import { headOf, reporter } from './report.ts'
import { noState } from './state-meant.ts'
import { busyWarnings } from './unknown-outcomes.ts'

/** Live against what was last applied. Sends reads alone and writes nothing. */
export const drift = async (io: Io, options: CommonOptions): Promise<number> => {
  const report = await reporter(io, options, 'drift')
  const started = io.now()
  return withRun(io, options, 'at-all', async (read) => {
    const { about, client, loaded, session, records, target, run } = read
    const { declaration } = loaded
    const notKept = noState(io, session)
    const without = notKept === undefined ? [] : [`${notKept}: nothing is recorded that could have drifted`]
    const found = driftDocument(
      {
        about,
        drifts: driftsIn({ run, definitions: kinds, records, target: target?.target }),
        checkedAt: run.now,
        targeted: run.plan.targeted,
        toSettle: read.toSettle,
        warnings: run.plan.warnings,
        requestsSent: client.requestsSent,
      },
      commandWords(declaration.projectNames),
    )
    const { drifted, unverifiable } = found.summary
    const differs = drifted > 0 || found.toBeSettled.length > 0
    const exitCode = differs || (options.strict === true && unverifiable > 0) ? 2 : 0
    const warnings = [...busyWarnings(session), ...without, ...found.warnings]
    const ways = { sameFlags: sameFlagsOf(options), patchFor: patchFor(loaded) }
    const resources = found.resources.map((each) => withWaysOut(each, ways))
    const document = { ...found, resources, warnings, exitCode }
    await report({ document, head: headOf(declaration, started, io) }, declaration.projectNames)
    return exitCode
  })
}

/** How a manifest is changed to say what is live, of an entry that stands for one thing. */
const patchFor =
  ({ patchOf }: LoadedDeclaration) =>
  ({ address, kind, fields }: SaidDrift): string | undefined => {
    const definition = kinds.find((each) => each.kind === kind)
    const values = Object.fromEntries(fields.map(({ path, after }) => [path, after]))
    return definition === undefined || fields.length === 0
      ? undefined
      : patchOf({ entry: address, fields: definition.fields, values })
  }
