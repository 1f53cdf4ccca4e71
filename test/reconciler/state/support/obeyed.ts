/** Characters that JSON does not escape, and that an editor or a terminal interprets. */
export const OBEYED = '\u007f\u0085\u061c\u200e\u2028\u202e\u2066'
