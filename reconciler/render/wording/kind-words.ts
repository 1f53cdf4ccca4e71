/** A kind in prose: `alert configuration`, `API key`. */
export const kindWords = (kind: string): string => kind.replaceAll('_', ' ').replace(/^api\b/, 'API')
