/** A scheme has at least two letters: a single letter is a Windows drive. */
const scheme = /^(?<scheme>[A-Za-z][A-Za-z0-9+.-]+):(?!\\)/u

/** The scheme of an address, or undefined for a path. */
export const schemeOf = (address: string): string | undefined =>
  scheme.exec(address)?.groups?.['scheme']?.toLowerCase()
