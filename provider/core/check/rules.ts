import type { Finding, Rule } from '../definition.ts'
import type { Values } from '../values.ts'

/** What a door knows of the values of an entry. */
export interface Judged {
  /** Whether all that stands at a path is known, and nothing is wrong with it. */
  readonly isSound: (path: Finding['path']) => boolean
  /** Whether it is known that a field is given, or is not; its value may be wrong. */
  readonly isTold: (field: string) => boolean
}

/** What an entry breaks of the rules that are about it alone, as far as they can be asked. */
export const findingsOf = (
  rules: readonly Rule[],
  values: Values,
  { isSound, isTold }: Judged,
): readonly Finding[] =>
  rules.flatMap((rule) => {
    switch (rule.over) {
      case 'entry':
        return rule.reads.every((field) => isSound([field])) ? rule.check(values) : []
      case 'presence':
        return rule.reads.every(isTold) ? rule.check(values) : []
      case 'element':
        return elementsAt(values, rule.list).flatMap((element, index) => {
          const path = [...rule.list, index]
          const found = isSound(path) ? rule.check(element) : []
          return found.map((finding) => ({ ...finding, path: [...path, ...finding.path] }))
        })
      case 'section':
        return []
    }
  })

const elementsAt = (values: Values, list: readonly string[]): readonly Values[] => {
  const found = list.reduce<unknown>((at, name) => (at as Values | null | undefined)?.[name], values)
  return Array.isArray(found) ? (found as Values[]) : []
}
