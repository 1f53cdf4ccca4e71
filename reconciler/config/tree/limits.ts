/** The maximum depth of references. */
export const DEEPEST = 200
export const TOO_DEEP = `expressions refer to one another more than ${DEEPEST} deep`

/** The maximum length of a text from expressions: a few that double one another would exhaust memory. */
export const LONGEST = 100_000
export const TOO_LONG = 'the expressions make this text longer than 100,000 characters'

/** The maximum number of values from references to whole lists and mappings. */
export const MOST = 100_000
export const TOO_MANY_COPIES =
  'references to lists and mappings make more than 100,000 values of this manifest'
export const TOO_MANY = 'the locals make more than 100,000 values of this file'
