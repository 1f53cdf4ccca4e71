/** Names are parts of addresses and of expressions, so dots and brackets have no place in them. */
export const NAME_LENGTH = 128
export const NAME_PATTERN = `^(?!__)[A-Za-z0-9_][A-Za-z0-9_-]{0,${NAME_LENGTH - 1}}$`
/** An id is one segment of a path: nothing that leads out of it, nothing that cannot be seen, no half of a character. */
export const ID_PATTERN =
  '^(?!\\.{1,2}$)[^\\s/\\\\\\u0000-\\u001F\\u007F-\\u009F\\u200B-\\u200F\\u2028-\\u202E\\u2060-\\u206F\\uD800-\\uDFFF]+$'
export const ID_LENGTH = 200
/** The form of every id that was ever met. The API calls them opaque, so another form is only worth a warning. */
export const USUAL_ID_PATTERN = '^[0-9A-Fa-f]{24}$'
export const USUAL_ID_FORM = '24 hexadecimal digits'
