/**
 * Characters that a terminal or an editor obeys: controls other than the line break, marks that change the direction
 * of text, and separators that some readers take for line breaks. By hand, and not taken from what is tested.
 */
// oxlint-disable-next-line no-control-regex
export const OBEYED = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/

/**
 * The same, and what nobody sees: text for people has none of them, whereas JSON may have the invisible ones. Behind a
 * pictograph, a selector or a joiner with another pictograph is seen, and so is the selector in a keycap.
 */
export const UNSEEN =
  /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\u2800](?<!\p{Extended_Pictographic}[\uFE0E\uFE0F])(?<![\d#*]\uFE0F(?=\u20E3))(?<!\p{Extended_Pictographic}[\uFE0F\p{EMod}]?\u200D(?=\p{Extended_Pictographic}))/u

/** One text of everything that is obeyed. */
export const EVERY_OBEYED = Array.from({ length: 0x1_00_00 }, (_, code) => String.fromCharCode(code))
  .filter((character) => OBEYED.test(character))
  .join('')
