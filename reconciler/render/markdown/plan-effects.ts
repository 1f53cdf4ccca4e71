import { kindWords } from '@deploymgmt/provider/core'
import { toldFields } from '../wording/value-pairs.ts'
import { few } from '../../text/few.ts'
import { cutProse } from '../../text/lines.ts'
import { decidedFirst } from '../document/field-type.ts'
import { projectNamesIn } from '../document/about.ts'
import type { Section } from './comment.ts'
import type { PlanDocument, ReportedChange } from '../document/plan-model.ts'
import { alikeChanges } from '../wording/alike-changes.ts'
import { ACTING, toDo, projectCounts } from '../wording/effects.ts'
import { extentWords, occurrenceOf, withoutTimes } from '../wording/occurrences.ts'
import { effectTable, someFields, whatNamed } from './markdown-parts.ts'
import { prose } from './markdown.ts'
import { counted } from '../wording/sentences.ts'
import { number } from '../../text/number.ts'

/** Counts of everything that an apply would do, and of what it cannot. */
export const effectSection = (doc: PlanDocument): Section[] =>
  effectTable({
    heads: ['What apply does', 'Fields', 'Where'],
    groups: alikeChanges([
      ...ACTING.flatMap((acting) => doc.changes.filter(({ action }) => action === acting)),
      ...doc.changes.filter(({ action }) => action === 'blocked'),
    ]),
    widely: (change) => JSON.stringify([toDo(change), change.kind]),
    told: (change) => fieldsCell(withoutTimes(change), doc),
    rowOf: (group, first, isAlike) => [
      `**${prose(effectTitle(group.length, first))}**`,
      isAlike ? sharedCell(group, first, doc) : 'several',
      [projectsIn(group, doc), few(group.map(({ address, what }) => whatNamed(address, what)))]
        .filter((part) => part !== '')
        .join('<br>'),
    ],
    countedAs: (count) => `${counted(count, 'row')} of effects`,
  })

/** `9 alert configurations to change`. */
export const effectTitle = (count: number, first: ReportedChange): string =>
  `${nounOf(count, first)} ${toDo(first)}`

/** `9 alert configurations`. */
export const nounOf = (count: number, { kind }: ReportedChange): string =>
  counted(count, kind === '' ? 'thing' : kindWords(kind).slice(0, 60))

/** The changes of the fields, or why nothing can be done. */
const fieldsCell = (change: ReportedChange, { about }: PlanDocument): string =>
  change.action === 'blocked'
    ? prose(cutProse(change.reason, 300))
    : someFields(decidedFirst(toldFields(change), change.kind), {
        names: projectNamesIn(about),
        kind: change.kind,
      })

/** The same for several changes; for occurrences of a rule, what they share and the time from the first to the last. */
const sharedCell = (group: readonly ReportedChange[], first: ReportedChange, doc: PlanDocument): string =>
  group.length === 1
    ? fieldsCell(first, doc)
    : [
        fieldsCell(withoutTimes(first), doc),
        ...extentWords(group.flatMap((each) => occurrenceOf(each) ?? [])),
      ]
        .filter((part) => part !== '')
        .join('<br>')

/** `payments 3, search 3`, if there are several projects. */
const projectsIn = (group: readonly ReportedChange[], { about }: PlanDocument): string => {
  const { projects } = about
  if (projects.length < 2) return ''
  const counts = projectCounts(group)
  const shown = counts
    .slice(0, MOST_PROJECTS)
    .map(([id, count]) => `${prose(projects.find((each) => each.id === id)?.name ?? id)} ${number(count)}`)
  const others = counts.slice(MOST_PROJECTS)
  const rest = others.reduce((sum, [, count]) => sum + count, 0)
  const more = rest === 0 ? [] : [`${number(rest)} in ${number(others.length)} more`]
  return [...shown, ...more].join(', ')
}

const MOST_PROJECTS = 10
