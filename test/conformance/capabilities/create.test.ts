import { create } from './lines/create.ts'
import { showOfEveryKind } from './support/line.ts'

showOfEveryKind(create)
