/** What can be asked of a project before anything of it is changed. */
export const GATES = ['automation-converged', 'no-open-alerts', 'agents-active'] as const
export type Gate = (typeof GATES)[number]
