import { beginning, type Bounds, keyOf, type Rules, type State, wrongIn } from './state.ts'
import { stepsFrom } from './steps.ts'

/** What a search has found. */
export interface Found {
  readonly states: number
  /** How many steps the longest way has. */
  readonly steps: number
  /** The shortest way to what must never be, and what that is. */
  readonly wrong?: { readonly what: string; readonly way: readonly string[] }
}

interface Reached {
  readonly state: State
  readonly label: string
  readonly before: Reached | undefined
}

/** Looks at every state that can be reached in so many steps, the nearest first. */
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
