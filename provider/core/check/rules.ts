import type { Finding, Rule } from '../rule.ts'
import { isObject, type Values } from '../values.ts'

/** What a door knows about the values of an entry. */
export interface Knowledge {
  /** Whether everything at a path is known and valid. */
  readonly isSound: (path: Finding['path']) => boolean
  /** Whether it is known if a field is given; its value may be wrong. */
  readonly isTold: (field: string) => boolean
}

/** How an entry breaks the rules about single entries, as far as these can be checked. */
export const findingsOf = (
  rules: readonly Rule[],
  values: Values,
  { isSound, isTold }: Knowledge,
): readonly Finding[] => {
  // Most entries break no rule, and no list is made for them.
  let all: readonly Finding[] = NONE
  for (const rule of rules) {
    const found = foundBy(rule, values, { isSound, isTold })
    if (found.length > 0) all = [...all, ...found]
  }
  return all
}
const NONE: readonly Finding[] = []

const foundBy = (rule: Rule, values: Values, { isSound, isTold }: Knowledge): readonly Finding[] => {
  switch (rule.over) {
    case 'entry':
      return rule.reads.every((field) => isSound([field])) ? rule.check(values) : NONE
    case 'presence':
      return rule.reads.every(isTold) ? rule.check(values) : NONE
    case 'mapping': {
      const { [rule.field]: mapping } = values
      if (!isObject(mapping)) return NONE
      const found = rule.check(mapping, (name) => isSound([rule.field, name]))
      return found.map((finding) => ({ ...finding, path: [rule.field, ...finding.path] }))
    }
    case 'element':
      return (elementsAt(values, rule.list) ?? []).flatMap((element, index) => {
        const path = [...rule.list, index]
        const found = isSound(path) ? rule.check(element) : []
        return found.map((finding) => ({ ...finding, path: [...path, ...finding.path] }))
      })
    case 'section':
      return NONE
  }
}

const elementsAt = (values: Values, list: readonly string[]): readonly Values[] | undefined => {
  let at: unknown = values
  for (const name of list) at = (at as Values | null | undefined)?.[name]
  return Array.isArray(at) ? (at as Values[]) : undefined
}
