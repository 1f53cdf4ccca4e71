/** Spaces that look like one and are none to YAML, such as those that a wiki or a chat puts into what is copied. */
export const ODD_SPACE = /[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/
