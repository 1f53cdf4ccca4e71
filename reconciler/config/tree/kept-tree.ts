import type { MapNode } from './node.ts'

/**
 * The tree of a manifest, for late uses that are rare. With many things it takes a quarter of the memory, so it is
 * referenced weakly, and parsed again if it is gone.
 */
export class KeptTree {
  #tree: WeakRef<MapNode>
  readonly #anew: () => MapNode | undefined

  constructor(tree: MapNode, anew: () => MapNode | undefined) {
    this.#tree = new WeakRef(tree)
    this.#anew = anew
  }

  /** An equal tree each time, though perhaps another object. */
  root(): MapNode {
    const root = this.#tree.deref() ?? this.#anew()
    if (root === undefined) throw new Error('what was read before can no longer be parsed')
    this.#tree = new WeakRef(root)
    return root
  }
}
