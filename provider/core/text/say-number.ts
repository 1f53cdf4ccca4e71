/** `1,000`, for a whole number. `Intl` loads tables of all languages, which takes longer than the start of Node. */
export const sayNumber = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
