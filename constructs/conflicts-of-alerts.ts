import type { TerraformStack } from 'cdktf'
import { isKnown } from './checks.ts'
import { contradiction, duplicate, literal, pairsOf, type Conflict } from './conflict.ts'
import { AlertConfiguration } from './generated/all.ts'
import { clashOf, disagree, type AlertSelector } from './selector.ts'

/** Alert configurations of one project that two contradictory declarations claim. */
export const alertConflicts = (stack: TerraformStack): Conflict[] =>
  pairsOfProjects(stack).flatMap(([one, other]) => [...idsOf(one, other), ...selectorsOf(one, other)])

/** An id and a selector in one project may claim one configuration. Only the service knows, so this is a warning. */
export const alertWarnings = (stack: TerraformStack): Conflict[] =>
  pairsOfProjects(stack).flatMap(([one, other]) => [...idBeside(one, other), ...idBeside(other, one)])

const pairsOfProjects = (stack: TerraformStack): (readonly [AlertConfiguration, AlertConfiguration])[] =>
  pairsOf(stack, AlertConfiguration, ({ projectIdInput }) => literal(projectIdInput))

const idsOf = (one: AlertConfiguration, other: AlertConfiguration): Conflict[] => {
  const id = literal(one.alertConfigIdInput)
  return id !== undefined && id === literal(other.alertConfigIdInput)
    ? [duplicate(one, other, `configuration ${id}`)]
    : []
}

const selectorsOf = (one: AlertConfiguration, other: AlertConfiguration): Conflict[] => {
  const [rule, earlier] = [ruleOf(one), ruleOf(other)]
  const clash = rule && earlier && clashOf(rule, earlier)
  if (clash === undefined) return []
  if (clash.is === 'nested')
    return [
      contradiction(
        one,
        other,
        `${clash.outer.path} also selects everything that ${clash.inner.path} selects, and they disagree about enabled`,
      ),
    ]
  const what = `they select the same configurations of project ${one.projectIdInput ?? ''}`
  return [
    clash.isOpposite
      ? contradiction(one, other, `${what}, and disagree about enabled`)
      : duplicate(one, other, what),
  ]
}

const ruleOf = (configuration: AlertConfiguration) => {
  const select = selectorOf(configuration)
  const { enabledInput: enabled, node } = configuration
  return select && { select, enabled, path: node.path }
}

const idBeside = (named: AlertConfiguration, selecting: AlertConfiguration): Conflict[] => {
  const id = literal(named.alertConfigIdInput)
  if (
    id === undefined ||
    selectorOf(selecting) === undefined ||
    !disagree(named.enabledInput, selecting.enabledInput)
  )
    return []
  const message = `${named.node.path}: names configuration ${id} by its id, and ${selecting.node.path} selects in the same project and disagrees about enabled; if it selects this one, Terraform switches it back and forth with every apply`
  return [{ between: [named, selecting], message }]
}

const selectorOf = ({ selectInput }: AlertConfiguration): AlertSelector | undefined => {
  if (selectInput === undefined || !isKnown(selectInput)) return undefined
  const { matchers } = selectInput as { matchers?: readonly unknown[] }
  // An unknown list is known only when Terraform runs; the selector may be narrower.
  return matchers === undefined || (isKnown(matchers) && Array.isArray(matchers))
    ? (selectInput as AlertSelector)
    : undefined
}
