/** An event about a thing, as reports show it. */
export interface EventSeen {
  readonly id: string
  readonly eventTypeName: string
  readonly created: string
  readonly username?: string
  readonly publicKey?: string
  readonly remoteAddress?: string
  /** One of several of the same moment of which some are our own: it names nobody. */
  readonly mayBeOwn?: boolean
}
