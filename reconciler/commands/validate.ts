import { kinds } from '@deploymgmt/provider/kinds'
import { loadDeclaration, renderFindings } from '../config/index.ts'
import type { Io } from '../io.ts'
import { print } from '../io.ts'
import { writeOutput } from './output.ts'
import { toJson } from '../render/index.ts'
import type { CommonOptions } from './options.ts'

/** Checks manifests offline: no state, no credentials, no request. */
export const validate = async (io: Io, options: CommonOptions): Promise<number> => {
  const { declaration, warnings } = await loadDeclaration(
    { files: options.file, vars: options.var, cwd: io.cwd, env: io.env, offline: true },
    kinds,
  )
  if (options.format === 'json') {
    await writeOutput(
      io,
      options,
      toJson(
        { valid: true, name: declaration.name, entries: declaration.entries.length, warnings },
        { indent: 2 },
      ),
    )
    return 0
  }
  if (warnings.length > 0) await print(io.stderr, renderFindings(warnings, {}))
  await writeOutput(
    io,
    options,
    `${declaration.name}: ${declaration.entries.length} ${declaration.entries.length === 1 ? 'entry' : 'entries'}, all valid. Nothing was sent.`,
  )
  return 0
}
