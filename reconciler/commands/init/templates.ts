/** The languages of what `init` can write; the first is the default. */
export const TEMPLATES = ['yaml', 'typescript'] as const
