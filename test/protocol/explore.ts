import { beginning, type Bounds, keyOf, type Rules, type State, wrongIn } from './state.ts'
import { stepsFrom } from './steps.ts'

/** The result of a search. */
export interface Found {
  readonly states: number
  /** The length of the longest path. */
  readonly steps: number
  /** The shortest path to a state that must never occur, and what is wrong there. */
  readonly wrong?: { readonly what: string; readonly way: readonly string[] }
}

interface Reached {
  readonly state: State
  readonly label: string
  readonly before: Reached | undefined
}

/** Visits every state that can be reached in this many steps, nearest first. */
export const explore = (rules: Rules, bounds: Bounds & { readonly steps: number }): Found => {
  const visited = new Set([keyOf(beginning)])
  let level: Reached[] = [{ state: beginning, label: '', before: undefined }]
  let steps = 0
  for (; level.length > 0 && steps < bounds.steps; steps += 1) {
    const next: Reached[] = []
    for (const before of level)
      for (const [label, state] of stepsFrom(before.state, rules, bounds)) {
        const key = keyOf(state)
        if (visited.has(key)) continue
        visited.add(key)
        const reached = { state, label, before }
        const what = wrongIn(state, rules)
        if (what !== undefined)
          return { states: visited.size, steps: steps + 1, wrong: { what, way: wayTo(reached) } }
        next.push(reached)
      }
    level = next
  }
  return { states: visited.size, steps }
}

const wayTo = (reached: Reached): string[] =>
  reached.before === undefined ? [] : [...wayTo(reached.before), reached.label]
