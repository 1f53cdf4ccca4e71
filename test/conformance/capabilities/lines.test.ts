import { lines } from './lines/index.ts'
import { showOfEveryKind } from './support/line.ts'

for (const line of lines) showOfEveryKind(line)
