import type { TerraformStack } from 'cdktf'
import { isKnown } from './checks.ts'
import { contradiction, duplicate, literal, pairsOf, type Conflict } from './conflict.ts'
import { Integration } from './generated/all.ts'

/** Integrations of one project that contradict each other. */
export const integrationConflicts = (stack: TerraformStack): Conflict[] =>
  pairsOf(stack, Integration, ({ projectIdInput }) => literal(projectIdInput)).flatMap(([one, other]) =>
    conflictOf(one, other),
  )

const conflictOf = (one: Integration, other: Integration): Conflict[] => {
  const [type, list] = [typeOf(one), listOf(one)]
  const [otherType, otherList] = [typeOf(other), listOf(other)]
  if (type !== undefined && otherType !== undefined)
    return type === otherType ? typesOf(one, other, type) : []
  if (list !== undefined && otherList !== undefined) return listsOf(one, other, list, otherList)
  const demanded = type ?? otherType
  const allowed = list ?? otherList
  if (demanded === undefined || allowed === undefined || allowed.includes(demanded)) return []
  if (ensureOf(type === undefined ? other : one) !== 'present') return []
  return [contradiction(one, other, `${thing(demanded, one)} must be present, but is not among only`)]
}

const typesOf = (one: Integration, other: Integration, type: string): Conflict[] => {
  const [wanted, otherwise] = [ensureOf(one), ensureOf(other)]
  if (wanted === otherwise) return [duplicate(one, other, thing(type, one))]
  // Values of variables may turn out to be equal, so this is no contradiction yet.
  if (wanted === undefined || otherwise === undefined) return [duplicate(one, other, thing(type, one))]
  return [
    contradiction(
      one,
      other,
      `${thing(type, one)} must be ${wanted} by the one and ${otherwise} by the other`,
    ),
  ]
}

const listsOf = (
  one: Integration,
  other: Integration,
  list: readonly string[],
  otherList: readonly string[],
): Conflict[] => {
  const refused =
    list.find((type) => !otherList.includes(type)) ?? otherList.find((type) => !list.includes(type))
  if (refused === undefined) return []
  const project = one.projectIdInput ?? ''
  return [
    contradiction(
      one,
      other,
      `${refused} may be there by one only of project ${project}, and not by the other; a project has one list`,
    ),
  ]
}

const thing = (type: string, { projectIdInput }: Integration): string =>
  `${type} of project ${projectIdInput ?? ''}`

const typeOf = ({ typeInput }: Integration): string | undefined => literal(typeInput)

const listOf = ({ onlyInput }: Integration): readonly string[] | undefined =>
  onlyInput !== undefined && isKnown(onlyInput) && onlyInput.every(isKnown) ? onlyInput : undefined

/** The default is `present`. */
const ensureOf = ({ ensureInput }: Integration): string | undefined => literal(ensureInput ?? 'present')
