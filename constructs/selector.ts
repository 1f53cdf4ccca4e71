import { checkOpenWord, isKnown, problem } from './checks.ts'
import type { Problem } from './declaration-error.ts'
import { isInstant } from './generated/instant.ts'
import { checkShape, lateText, list, type Shape } from './shape.ts'
import type { EventType, MetricName } from './vocabulary.ts'

/** The conditions for a matcher of an alert configuration; at least one of the three. */
export interface SelectorMatcher {
  readonly fieldName?: string
  readonly operator?: string
  readonly value?: string
}

interface SelectorFields {
  readonly eventTypeName: EventType
  readonly metricName: MetricName
  /** Matchers that the configuration must have, possibly among others. */
  readonly matchers: readonly SelectorMatcher[]
  /** Only configurations created before this instant; later ones stay as they are. */
  readonly createdBefore: string
}
type AtLeastOne<T> = { [K in keyof T]: Pick<T, K> & Partial<Omit<T, K>> }[keyof T]

/** Every configuration of a project that meets all of these conditions. An empty selector would match all. */
export type AlertSelector = AtLeastOne<SelectorFields>

const SHAPE: Shape<SelectorFields> = {
  eventTypeName: lateText,
  metricName: lateText,
  matchers: list,
  createdBefore: lateText,
}
const MATCHER_SHAPE: Shape<SelectorMatcher> = { fieldName: lateText, operator: lateText, value: lateText }

export const checkSelectorShape = (property: string, selector: AlertSelector): Problem[] => {
  const found = checkShape(property, selector, SHAPE)
  if (found.length > 0) return found
  return (selector.matchers ?? []).flatMap((matcher, index) =>
    checkShape(`${property}.matchers[${index}]`, matcher, MATCHER_SHAPE),
  )
}

export const checkSelector = (property: string, selector: AlertSelector): Problem[] => {
  const { matchers, ...fields } = selector as Partial<SelectorFields>
  if (Object.values(fields).every((value) => value === undefined) && (matchers ?? []).length === 0)
    return [problem(property, 'an empty selector would match every configuration; name a field')]
  return [
    ...checkOpenWord(`${property}.eventTypeName`, fields.eventTypeName),
    ...checkOpenWord(`${property}.metricName`, fields.metricName),
    ...checkBefore(`${property}.createdBefore`, fields.createdBefore),
    ...emptyMatchers(property, matchers ?? []),
  ]
}

/** A local time with its zone in brackets is one that the command takes. */
const checkBefore = (property: string, text: string | undefined): Problem[] =>
  text === undefined || !isKnown(text) || isInstant(text) || text.endsWith(']')
    ? []
    : [problem(property, `"${text}" is not a date and time with its zone, such as 2026-12-05T02:00:00Z`)]

const emptyMatchers = (property: string, matchers: readonly SelectorMatcher[]): Problem[] =>
  matchers.flatMap((matcher, index) =>
    Object.values(matcher).some((value) => value !== undefined)
      ? []
      : [
          problem(
            `${property}.matchers[${index}]`,
            'an empty matcher would match every configuration; name a field',
          ),
        ],
  )

const covers = (wanted: string | undefined, value: string | undefined): boolean =>
  wanted === undefined || (wanted === value && isKnown(wanted))

/**
 * Whether everything that matches `narrow` also matches `wide`. Unknown values can be anything, and imply nothing.
 */
const implies = (narrow: AlertSelector, wide: AlertSelector): boolean => {
  const has = narrow as Partial<SelectorFields>
  const wants = wide as Partial<SelectorFields>
  return (
    covers(wants.eventTypeName, has.eventTypeName) &&
    covers(wants.metricName, has.metricName) &&
    covers(wants.createdBefore, has.createdBefore) &&
    (wants.matchers ?? []).every((wanted) =>
      (has.matchers ?? []).some(
        (matcher) =>
          covers(wanted.fieldName, matcher.fieldName) &&
          covers(wanted.operator, matcher.operator) &&
          covers(wanted.value, matcher.value),
      ),
    )
  )
}

/** Whether two values of `enabled` are certain to be opposite: one that only Terraform knows is not compared. */
export const disagree = (one: unknown, other: unknown): boolean =>
  typeof one === 'boolean' && typeof other === 'boolean' && one !== other

/** A selector with what is to hold of everything that it selects. */
interface Rule {
  readonly select: AlertSelector
  readonly enabled: unknown
}

/** Two rules that select the same, or that disagree although the outer one also selects all that the inner one does. */
type Clash<R extends Rule> =
  | { readonly is: 'same'; readonly isOpposite: boolean }
  | { readonly is: 'nested'; readonly inner: R; readonly outer: R }

/** How two rules clash; undefined if it is not certain that they do. */
export const clashOf = <R extends Rule>(one: R, other: R): Clash<R> | undefined => {
  const isOpposite = disagree(one.enabled, other.enabled)
  const [isInside, isAround] = [implies(one.select, other.select), implies(other.select, one.select)]
  if (isInside && isAround) return { is: 'same', isOpposite }
  if (!isOpposite || isInside === isAround) return undefined
  return { is: 'nested', ...(isInside ? { inner: one, outer: other } : { inner: other, outer: one }) }
}
