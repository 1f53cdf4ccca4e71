/** The shells that there is a completion for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

export const isShell = (name: string): name is Shell => SHELLS.some((each) => each === name)
