/** As long as the bindings name what a construct deep in a program makes. */
export const NAME_LENGTH = 255
/** Names are parts of addresses and of expressions, so they have no dots or brackets. */
export const NAME_PATTERN = `^(?!__)[A-Za-z0-9_][A-Za-z0-9_-]{0,${NAME_LENGTH - 1}}$`
/** An id is one segment of a path: nothing that leads out of it, nothing invisible, no half of a surrogate pair. */
export const ID_PATTERN =
  '^(?!\\.{1,2}$)[^\\s/\\\\\\u0000-\\u001F\\u007F-\\u009F\\u200B-\\u200F\\u2028-\\u202E\\u2060-\\u206F\\uD800-\\uDFFF]+$'
export const ID_LENGTH = 200
/** The form of all known ids. The API calls ids opaque, so another form is only worth a warning. */
export const USUAL_ID_PATTERN = '^[0-9A-Fa-f]{24}$'
export const USUAL_ID_FORM = '24 hexadecimal digits'
