/** A kind as it is spoken of: `alert configuration`, `API key`. */
export const kindWords = (kind: string): string => kind.replaceAll('_', ' ').replace(/^api\b/, 'API')
