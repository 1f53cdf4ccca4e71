/** What a value of JSON is. */
export type JsonShape = 'object' | 'list' | 'boolean' | 'number' | 'text' | 'null'

/** What is wrong with an answer that could be read. It never quotes a value, which could be a secret. */
export type AnswerFault =
  /** At a place of the answer; the whole where `at` is empty, an item of a list where it is `*`. */
  | { readonly fault: 'wrong-shape'; readonly at: string; readonly is: JsonShape; readonly wanted: JsonShape }
  | { readonly fault: 'not-an-id'; readonly at: string }
  | { readonly fault: 'not-objects'; readonly at: string }
  | { readonly fault: 'no-list' }
  | { readonly fault: 'nothing-named' }
  | { readonly fault: 'item-without-key'; readonly key: string }
  | { readonly fault: 'another-thing' }
  | { readonly fault: 'event-without-place' }
  | { readonly fault: 'creation-without-id'; readonly key: string }

const SHAPES: Readonly<Record<JsonShape, string>> = {
  object: 'an object',
  list: 'a list',
  boolean: 'true or false',
  number: 'a number',
  text: 'text',
  null: 'null',
}

const placeIn = (at: string): string => {
  if (at === '') return 'the answer'
  return at === '*' ? 'an item of it' : at
}

/** More than these are counted. */
const SHOWN = 3

/** A sentence for faults of one answer. */
export const answerFaultText = (faults: readonly AnswerFault[]): string => {
  const [first] = faults
  switch (first?.fault) {
    case 'item-without-key':
      return `an item in the list has no ${first.key}`
    case 'another-thing':
      return 'the answer is not about the thing that was asked for'
    case 'event-without-place':
      return 'an event in the list has no id or no readable time'
    case 'creation-without-id':
      return `the answer to a creation has no valid ${first.key}, or the one of another thing`
    default: {
      const others = faults.length > SHOWN ? ` and ${faults.length - SHOWN} more` : ''
      return `the answer does not have the documented shape: ${faults.slice(0, SHOWN).map(shapeText).join('; ')}${others}`
    }
  }
}

const shapeText = (fault: AnswerFault): string => {
  switch (fault.fault) {
    case 'wrong-shape':
      return `${placeIn(fault.at)} is ${SHAPES[fault.is]}, not ${SHAPES[fault.wanted]}`
    case 'not-an-id':
      return `${placeIn(fault.at)} is not an id`
    case 'not-objects':
      return `${fault.at} is not a list of objects`
    case 'no-list':
      return 'it has no results or no totalCount'
    default:
      return 'an item of it names nothing'
  }
}
