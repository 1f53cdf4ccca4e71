/** Conditions that can be required of a project before anything in it is changed. */
export const GATES = ['automation-converged', 'no-open-alerts', 'agents-active'] as const
export type Gate = (typeof GATES)[number]
