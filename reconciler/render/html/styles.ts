import { COLOURS } from './styles/colours.ts'
import { DETAILS } from './styles/details.ts'
import { PAPER } from './styles/paper.ts'
import { ROWS } from './styles/rows.ts'
import { WHOLE } from './styles/whole.ts'

/** All styles of the page; its policy allows only this text, by its hash. */
export const STYLES = [COLOURS, WHOLE, ROWS, DETAILS, PAPER].join('\n')
