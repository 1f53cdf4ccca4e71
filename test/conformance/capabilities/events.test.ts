import { events } from './lines/events.ts'
import { showOfEveryKind } from './support/line.ts'

showOfEveryKind(events)
