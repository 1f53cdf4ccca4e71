import type { Node, Pair, ScalarNode } from './node.ts'

/**
 * A pair from the parser whose key becomes a node on demand: there are as many keys as values, and their positions
 * are needed only for errors. Both are in the same file.
 */
export class ParsedPair implements Pair {
  readonly value: Node
  readonly #text: string
  readonly #start: number
  readonly #end: number

  constructor({ text, start, end }: ScalarNode, value: Node) {
    this.value = value
    this.#text = text
    this.#start = start
    this.#end = end
  }

  get key(): ScalarNode {
    const { source } = this.value
    return { is: 'scalar', source, start: this.#start, end: this.#end, value: this.#text, text: this.#text }
  }
}
