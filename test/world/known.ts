/** Classes of histories of which a finding is known, and that are left out until it is mended. */
export const KNOWN = {
  /** What was forgotten and is adopted again within the same seconds: the own events of before count as another's. */
  readoptedAtOnce: true,
  /** A change of which a person says that it was not done, and that was: its own event makes the thing a suspect. */
  undoneChangeForgotten: true,
  /** After one lost answer, with all events and no one else on the key, an apply can still end with exit 3. */
  evidentLeftOpen: true,
} as const satisfies Record<string, boolean>
