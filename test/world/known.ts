/** Classes of histories of which a finding is known, and that are left out until it is mended. */
export const KNOWN = {
  /** What a person accepted is refused, as somebody else's, by the next write of another field. */
  acceptedIsGuarded: true,
} as const satisfies Record<string, boolean>
