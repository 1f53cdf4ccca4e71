import type { Line } from '../support/line.ts'
import { adopt } from './adopt.ts'
import { change } from './change.ts'
import { create } from './create.ts'
import { remove } from './delete.ts'
import { events } from './events.ts'
import { guards } from './guards.ts'
import { observe } from './observe.ts'
import { release } from './release.ts'

/** The lines of the capability table, in order. */
export const tableLines: readonly Line[] = [create, adopt, observe, change, release, remove, events]
/** These, and what else a kind's page lists. */
export const lines: readonly Line[] = [...tableLines, guards]
