import type { Arranged } from '../../adopt/arrange.ts'
import type { Written } from '../../adopt/manifest-text.ts'
import { counted } from '../../render/wording/sentences.ts'
import { number } from '../../text/number.ts'
import type { Grouping } from './found.ts'
import { ENOUGH } from './texts.ts'

/** The number of entries and things in the written files, with the number by which a plan counts them. */
export const adoptSummary = (
  { sections, entries, told }: Arranged,
  { things, files }: { readonly things: number; readonly files: number },
): string[] => {
  const bySection = sections.flatMap((section) => {
    const own = entries.filter((each) => each.section === section)
    return own.length === 0 ? [] : [`${section} ${entriesFor(own, sumOf(own, 'things'))}`]
  })
  const places = sumOf(entries, 'places')
  return [
    ...(things === 0 ? [] : [`${files === 1 ? 'It has' : 'They have'} ${entriesFor(entries, things)}.`]),
    ...(bySection.length > 1 && entries.length !== things ? [`Of that, ${bySection.join('; ')}.`] : []),
    ...(places === entries.length
      ? []
      : [`A plan counts an entry once for each of its projects: as ${number(places)} declared.`]),
    ...commentsOf(told, { others: things, files }),
  ]
}

const sumOf = (all: readonly Written[], what: 'things' | 'places'): number =>
  all.reduce((sum, each) => sum + each[what], 0)

const entriesFor = ({ length }: readonly Written[], things: number): string =>
  `${number(length)} ${length === 1 ? 'entry' : 'entries'} for ${counted(things, 'thing')}`

const commentsOf = (
  told: Arranged['told'],
  { others, files }: { readonly others: number; readonly files: number },
): string[] => {
  if (told.length === 0) return []
  const sections = Map.groupBy(told, ({ section }) => section)
  const of = [...sections].map(([section, own]) => `${section} ${number(own.length)}`)
  const [are, they] = told.length === 1 ? ['is', 'it is'] : ['are', 'they are']
  const [what, where] = [others === 0 ? 'thing' : 'more thing', files === 1 ? 'the file' : 'the files']
  return [
    `${counted(told.length, what)} ${are} known from events only; ${they} in ${where} as comments, which declare nothing: ${of.join('; ')}.`,
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
  const [the, apply] = count === 1 ? ['The entry', 'applies'] : [`The ${number(count)} entries`, 'apply']
  return count === 0
    ? []
    : [
        `${the} for all projects also ${apply} to projects that are named later: look at the plan before you apply it then.`,
      ]
}
