import { below, COLUMN, projectOf, row } from './drift-rows.ts'
import { isNews, type DriftDocument, type ReportedUnmanaged } from '../document/drift-model.ts'
import { fold, moreLikeIt } from './folded.ts'
import { groupBy } from '../../text/group-by.ts'
import type { ReportStyle } from '../document/reports.ts'
import { passedWords, reasonAt } from '../wording/acceptances.ts'
import { untilWords } from '../wording/until.ts'
import { strangersActed, strangeThing } from '../wording/sentences.ts'
import { number } from '../../text/number.ts'
import { unmanagedWayLines, unmanagedWays } from '../wording/way-lines.ts'
import { proseRoom, roomOf } from '../../text/style.ts'
import { line, proseLines, span, type Line } from '../../text/lines.ts'

/** Unmanaged things, with who created them and when; known ones are counted. */
export const unmanagedLines = (
  { unmanaged = [], about }: Pick<DriftDocument, 'unmanaged' | 'about'>,
  style: ReportStyle,
): Line[] => {
  const counting = unmanaged.filter(isNews)
  const known = unmanaged.filter((each) => !isNews(each))
  const { shown, hidden } = fold(alike(counting), style)
  const more = hidden.flat().length
  return [
    ...shown.flatMap((group) => groupLines('unmanaged', group, about, style)),
    ...(more === 0 ? [] : below([[span(`… ${number(more)} more, --all shows them`, 'dim')]])),
    // Once for all of them, except silences, which each have their own.
    ...(counting.every(isSilence)
      ? []
      : below(proseLines(`what to do: ${unmanagedWays(about)}`, proseRoom(style) - COLUMN))),
    ...knownLines(known, about, style),
  ]
}

/** Things of one place with the same text. */
const alike = (things: readonly ReportedUnmanaged[]): ReportedUnmanaged[][] =>
  groupBy(things, (thing) => {
    const { section, identity, seenIn, ignored, ignoredBefore } = thing
    const said = [strangeThing(thing), ...strangersActed(thing)]
    return JSON.stringify([section, identity['projectId'], said, seenIn, ignored, ignoredBefore])
  })

const isSilence = ({ silences }: ReportedUnmanaged): boolean => silences === true

const DOUBT = 'known from events only: it may have changed since'

const groupLines = (
  label: string,
  group: readonly ReportedUnmanaged[],
  about: DriftDocument['about'],
  style: ReportStyle,
): Line[] => {
  const [first] = group
  if (first === undefined) return []
  const { section, seenIn, ignored, ignoredBefore } = first
  const room = proseRoom(style) - COLUMN
  const project = projectOf(first, style) ?? amongProjects(first, about)
  const { shown, hidden } = fold(group.map(nameOf), style)
  const place = project === undefined ? '' : `  (${project})`
  const [head = [], ...rest] = proseLines(`${section} ${shown.join(', ')}${place}`, room)
  return [
    row(label, label === 'unmanaged' ? 'change' : undefined, head),
    ...below([
      ...rest,
      ...(hidden.length === 0 ? [] : [line(span(moreLikeIt(hidden.length), 'dim'))]),
      ...proseLines(strangeThing(first), room),
      ...(seenIn === 'events' ? proseLines(DOUBT, room) : []),
      ...strangersActed(first).flatMap((text) => proseLines(text, roomOf(style) - COLUMN)),
      ...(isSilence(first) ? unmanagedWayLines(first).flatMap((text) => proseLines(text, room)) : []),
      ...(ignored === undefined
        ? []
        : proseLines(`${['known', ...untilWords(ignored)].join(' ')}: ${reasonAt(ignored)}`, room)),
      ...(ignoredBefore === undefined
        ? []
        : proseLines(passedWords('known', ignoredBefore, reasonAt(ignoredBefore)), room)),
    ]),
  ]
}

/** The project among several, of which some have no name: nothing else tells things of the same key apart. */
const amongProjects = (
  { identity: { projectId } }: ReportedUnmanaged,
  { projects }: DriftDocument['about'],
): string | undefined => {
  const found = projects.length > 1 ? projects.find(({ id }) => id === projectId) : undefined
  return found?.name ?? found?.id
}

/** The part that distinguishes it within its place. */
const nameOf = ({ identity }: ReportedUnmanaged): string => Object.values(identity).at(-1) ?? ''

const knownLines = (
  known: readonly ReportedUnmanaged[],
  about: DriftDocument['about'],
  style: ReportStyle,
): Line[] => {
  if (known.length === 0) return []
  // Silenced alerts are no detail.
  const named = style.all === true ? known : known.filter(isSilence)
  const others = known.length - named.length
  const told = `${number(others)} ${named.length === 0 ? '' : 'more '}that nobody declares`
  return [
    ...alike(named).flatMap((group) => groupLines('known', group, about, style)),
    ...(others === 0 ? [] : [row('known', undefined, line(told))]),
  ]
}
