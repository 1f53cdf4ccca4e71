import type { Origin } from '../../config/evaluation/origin.ts'
import type { ReportedExplained } from '../document/explained.ts'
import { few } from '../../text/few.ts'

/** What the entry stands for, and what other entries take from it: an id beats a selector. */
export const rankSentences = ({
  what,
  project,
  projects = [],
  except = [],
  takesFrom = [],
  leavesTo = [],
}: ReportedExplained): string[] => [
  ...thingSentence(what, project),
  ...projectsSentence({ projects, except }),
  ...(takesFrom.length === 0
    ? []
    : [`What it names no longer belongs to the selection of ${few(takesFrom)}: an id beats a selector.`]),
  ...(leavesTo.length === 0
    ? []
    : [`It stands for what it selects, except what is declared by its id: ${few(leavesTo)}.`]),
]

const thingSentence = (what: string | undefined, project: string | undefined): string[] => {
  const parts = [
    ...(what === undefined ? [] : [what]),
    ...(project === undefined ? [] : [`in project ${project}`]),
  ]
  return parts.length === 0 ? [] : [`It is ${parts.join(', ')}.`]
}

/** The projects for which an entry is declared. */
export const projectsSentence = ({
  projects = [],
  except = [],
}: Pick<ReportedExplained, 'projects' | 'except'>): string[] => {
  if (projects.length === 0 && except.length === 0) return []
  const leaves = except.length === 0 ? '' : `, and leaves out ${few(except)}`
  return [`It is declared for ${projects.length === 0 ? 'no project' : few(projects)}${leaves}.`]
}

/**
 * Each step on the way to a value, with the word that joins it to the previous one: refers to it, or is beside it.
 */
export const originSteps = (from: readonly Origin[]): { readonly joint: string; readonly text: string }[] =>
  from.map((origin, index) => ({
    joint: index === 0 ? '' : jointOf(origin, from[index - 1]),
    text: originText(origin),
  }))

const jointOf = ({ excluded, beside }: Origin, before: Origin | undefined): string => {
  if (excluded === true) return before?.excluded === true ? ', ' : ', except '
  return beside === true ? ', ' : ' ← '
}

/** The source of a value, and its position. */
const originText = ({ is, name, at }: Origin): string => {
  if (is === 'field-default')
    return name === undefined ? 'default of the field' : `${name}, the default of the field`
  if (is === 'command-line') return `${name} from --var`
  if (is === 'environment') return `${name} from TF_VAR_${name?.replace(/^var\./, '')}`
  const said = is === 'defaults' ? is : name
  if (at === undefined) return `${said}, ${is === 'entry' ? 'which the service returns' : 'not known yet'}`
  return said === undefined ? at : `${said} at ${at}`
}
