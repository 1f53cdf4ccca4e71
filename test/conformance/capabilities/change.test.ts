import { change } from './lines/change.ts'
import { showOfEveryKind } from './support/line.ts'

showOfEveryKind(change)
