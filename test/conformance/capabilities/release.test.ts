import { release } from './lines/release.ts'
import { showOfEveryKind } from './support/line.ts'

showOfEveryKind(release)
