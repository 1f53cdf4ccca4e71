import type { KindDefinition } from '@deploymgmt/provider/core'

type Titled = Pick<KindDefinition, 'title'>

/** A kind within a sentence: `API key`, `user`. */
export const noun = ({ title }: Titled): string =>
  /^[A-Z]{2}/.test(title) ? title : title.charAt(0).toLowerCase() + title.slice(1)

export const aNoun = (kind: Titled): string => `${/^[AEIO]/i.test(kind.title) ? 'an' : 'a'} ${noun(kind)}`
