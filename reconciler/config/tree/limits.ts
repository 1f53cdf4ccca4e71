/** How deep expressions may refer to one another. */
export const DEEPEST = 200
export const TOO_DEEP = `expressions refer to one another more than ${DEEPEST} deep`

/** How long expressions may make a text: a few that double one another would fill any memory. */
export const LONGEST = 100_000
export const TOO_LONG = 'the expressions make this text longer than 100,000 characters'

/** How many values references to whole lists and mappings may make. */
export const MOST = 100_000
export const TOO_MANY_COPIES =
  'references to lists and mappings make more than 100,000 values of this manifest'
export const TOO_MANY = 'the locals make more than 100,000 values of this file'
