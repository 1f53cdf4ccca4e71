import { adopt } from './lines/adopt.ts'
import { showOfEveryKind } from './support/line.ts'

showOfEveryKind(adopt)
