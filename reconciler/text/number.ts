/** `1,000`, of a whole number. Node's own way reads tables of all languages, for longer than Node itself takes to start. */
export const number = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
