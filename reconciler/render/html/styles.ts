import { COLOURS } from './styles/colours.ts'
import { DETAILS } from './styles/details.ts'
import { PAPER } from './styles/paper.ts'
import { ROWS } from './styles/rows.ts'
import { WHOLE } from './styles/whole.ts'

/** All of the page's looks; its policy allows this text alone, by its hash. */
export const STYLES = [COLOURS, WHOLE, ROWS, DETAILS, PAPER].join('\n')
