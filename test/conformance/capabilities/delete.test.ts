import { remove } from './lines/delete.ts'
import { showOfEveryKind } from './support/line.ts'

showOfEveryKind(remove)
