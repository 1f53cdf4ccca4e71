import { guards } from './lines/guards.ts'
import { showOfEveryKind } from './support/line.ts'

showOfEveryKind(guards)
