/** Characters that JSON leaves bare, and that an editor or a terminal obeys. */
export const OBEYED = '\u007f\u0085\u061c\u200e\u2028\u202e\u2066'
