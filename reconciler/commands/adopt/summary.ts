import type { Arranged } from '../../adopt/arrange.ts'
import type { Written } from '../../adopt/manifest-text.ts'
import { counted } from '../../render/wording/sentences.ts'
import { number } from '../../text/number.ts'
import type { Grouping } from './found.ts'
import { ENOUGH } from './texts.ts'

/** The number of entries and things, with the number by which a plan counts them. */
export const adoptSummary = ({ sections, entries, told }: Arranged, things: number): string[] => {
  const bySection = sections.flatMap((section) => {
    const own = entries.filter((each) => each.section === section)
    return own.length === 0 ? [] : [`${section} ${entriesFor(own, sumOf(own, 'things'))}`]
  })
  const places = sumOf(entries, 'places')
  return [
    `It has ${entriesFor(entries, things)}.`,
    ...(bySection.length > 1 && entries.length !== things ? [`Of that, ${bySection.join('; ')}.`] : []),
    ...(places === entries.length
      ? []
      : [`A plan counts an entry once for each of its projects: as ${number(places)} declared.`]),
    ...commentsOf(told),
  ]
}

const sumOf = (all: readonly Written[], what: 'things' | 'places'): number =>
  all.reduce((sum, each) => sum + each[what], 0)

const entriesFor = ({ length }: readonly Written[], things: number): string =>
  `${number(length)} ${length === 1 ? 'entry' : 'entries'} for ${counted(things, 'thing')}`

const commentsOf = (told: Arranged['told']): string[] => {
  if (told.length === 0) return []
  const sections = Map.groupBy(told, ({ section }) => section)
  const of = [...sections].map(([section, own]) => `${section} ${number(own.length)}`)
  const [are, they] = told.length === 1 ? ['is', 'it is'] : ['are', 'they are']
  return [
    `${counted(told.length, 'more thing')} ${are} known from events only; ${they} in the file as comments, which declare nothing: ${of.join('; ')}.`,
  ]
}

/** Says that files per project were requested, but no project has enough entries for one. */
export const sayInOne = ({ split, policy }: Grouping, { entries }: Arranged): string[] =>
  split === true && policy === true && entries.some(({ places }) => places === 1)
    ? [
        `No project has ${number(ENOUGH)} entries of its own, so everything is in one file; --split without --policy gives each project a file with all of it.`,
      ]
    : []

/** Says what entries for all projects mean for a project that is named later, which is not visible in them. */
export const sayForAll = ({ entries }: Arranged): string[] => {
  const { length: count } = entries.filter(({ forAll }) => forAll)
  const [its, apply] = count === 1 ? ['Its entry', 'applies'] : [`Its ${number(count)} entries`, 'apply']
  return count === 0
    ? []
    : [
        `${its} for all projects also ${apply} to projects that are named later: look at the plan before you apply it then.`,
      ]
}
