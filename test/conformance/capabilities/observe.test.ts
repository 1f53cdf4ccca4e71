import { observe } from './lines/observe.ts'
import { showOfEveryKind } from './support/line.ts'

showOfEveryKind(observe)
