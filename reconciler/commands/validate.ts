import { entryOf, unadoptable, untold, type Untold } from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'
import type { Words } from '@deploymgmt/provider/words'
import { loadDeclaration, renderFindings, type Judgement } from '../config/index.ts'
import type { ManifestFinding } from '../errors/finding.ts'
import type { FindingsLook } from '../errors/finding-lines.ts'
import type { Io } from '../io.ts'
import { formatOf } from '../render/formats.ts'
import { isStack } from '../render/wording/way-lines.ts'
import { commandWords } from '../render/wording/words.ts'
import { few } from '../text/few.ts'
import { number } from '../text/number.ts'
import { manifestsOf, type CommonOptions } from './line/options.ts'
import { reporter } from './output/report.ts'
import { isOfSelector } from './resolve/selector-words.ts'
import { addressNamed } from './resolve/state.ts'
import { tell } from './output/tell.ts'
import { newUnreadWarnings } from './resolve/unread-warnings.ts'
import { tellNoManifests } from './resolve/load.ts'

/** Checks manifests offline: no state, no credentials, no request. */
export const validate = async (io: Io, options: CommonOptions): Promise<number> => {
  const report = await reporter(io, options, 'validation')
  const words = commandWords(undefined, { isWritten: isStack(options.file) })
  const loaded = await loadDeclaration(
    {
      ...manifestsOf(io, options),
      offline: true,
      judge: (entries, isSound) => [
        ...untold(entries, kinds, io.now(), isSound).map((each) => saidOf(each, words)),
        ...unadoptable(entries.filter(isSound), kinds).map(({ entry, because }) => ({
          entry,
          message: `${words.says(because)}; a plan blocks it, unless it is recorded already`,
          reasonCode: because.code,
          severity: 'warning' as const,
        })),
      ],
    },
    kinds,
  )
  const { declaration, warnings, head, otherStates } = loaded
  await tellNoManifests(io, loaded, options)
  for (const named of [...(head.state === undefined ? [] : [head.state]), ...otherStates])
    // The value of an expression may be known only in a run.
    if (!named.text.includes('${')) addressNamed(named)
  if (warnings.length > 0 && formatOf('validation', options.format)?.for === 'person')
    await tell(io, warningsShown(warnings, { width: io.stderr.columns }))
  if (options.quiet !== true)
    for (const each of await newUnreadWarnings(io, options, loaded)) await tell(io, `Warning: ${each}`)
  const { name, entries } = declaration
  // Entries as written: one for several projects counts once.
  const written = new Set(entries.map(({ address }) => entryOf(address)))
  await report({ document: { formatVersion: 1, valid: true, name, entries: written.size, warnings } })
  return 0
}

/** Many words of selectors that are like no known one are probably the service's own, and are told together. */
const warningsShown = (warnings: readonly ManifestFinding[], look: FindingsLook): string => {
  const own = warnings.filter((each) => isOfSelector(each) && each.suggestion === undefined)
  if (own.length <= MANY) return renderFindings(warnings, look)
  const places = few(own.map(({ file, line, column, path }) => `${file}:${line}:${column} (${path})`))
  const others = warnings.filter((each) => !own.includes(each))
  return [
    ...(others.length === 0 ? [] : [renderFindings(others, look)]),
    `warning: ${number(own.length)} words in selectors are not known here, and like none that is: ${places}. A service can have types of its own: a plan warns only of those that match nothing; deploymgmt validate --format json lists each`,
  ].join('\n\n')
}
const MANY = 3

/** In the words of a plan, which would block it; but the records are unknown here, and can resolve a cycle. */
const saidOf = ({ entry, because, told }: Untold, { says, step }: Words): Judgement => {
  const todo = step(because)?.replace(/\.$/, '')
  const isPossible = told === 'unless-recorded'
  const what = isPossible
    ? `${says(because)}: it can be applied only while the ids are recorded`
    : says(because)
  return {
    entry,
    message: [what, ...(todo === undefined ? [] : [todo])].join('. '),
    reasonCode: because.code,
    severity: isPossible ? 'warning' : 'error',
  }
}
