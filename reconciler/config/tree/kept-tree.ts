import type { MapNode } from './node.ts'

/**
 * The tree of a manifest for those who may ask late, and mostly never do. Of many things it is a quarter of all memory,
 * so that it is held weakly, and made again where it is gone.
 */
export class KeptTree {
  #tree: WeakRef<MapNode>
  readonly #anew: () => MapNode | undefined

  constructor(tree: MapNode, anew: () => MapNode | undefined) {
    this.#tree = new WeakRef(tree)
    this.#anew = anew
  }

  /** The same each time, but for which object it is. */
  root(): MapNode {
    const root = this.#tree.deref() ?? this.#anew()
    if (root === undefined) throw new Error('what was read before can no longer be parsed')
    this.#tree = new WeakRef(root)
    return root
  }
}
