import type { Node, Pair, ScalarNode } from './node.ts'

/**
 * A pair as a parser met it, whose key is a node once somebody asks: a manifest has as many keys as values, and their
 * places are looked at where something is wrong. Both stand in the same file.
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
