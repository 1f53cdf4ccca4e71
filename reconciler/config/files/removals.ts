import type { ManifestPart } from '@deploymgmt/provider/core'
import { quoted } from '../../text/display.ts'
import { asOnlyItem, pairOf, type MapNode, type Node, type Pair } from '../tree/node.ts'
import type { Path } from '../tree/path.ts'
import type { Report } from '../tree/report.ts'

const SUPPORT = ['variables', 'projects', 'gates']

/** Applies `remove` of later layers, and reports entries that do not exist. */
export class Removals {
  readonly #sections: readonly string[]
  readonly #report: Report
  /** Whether every file could be read; otherwise a missing entry may be in one of the others. */
  readonly #complete: boolean
  readonly #removed = new Map<string, Node>()

  constructor(parts: Readonly<Record<string, ManifestPart>>, report: Report, complete: boolean) {
    this.#sections = Object.keys(parts).filter(
      (name) => parts[name]?.type.is === 'map' && !SUPPORT.includes(name),
    )
    this.#report = report
    this.#complete = complete
  }

  /** The tree of the earlier layers without the entries that the files of this layer remove. */
  without(root: MapNode, removed: readonly Pair[], isFirst: boolean): MapNode {
    const left = this.#copied(root)
    for (const { key, value } of removed) {
      if (value.is === 'list' ? value.items.length === 0 : value.is === 'scalar' && value.value === null)
        continue
      if (isFirst) {
        const message =
          'the first --file has nothing before it that could be removed; take the entry itself out'
        this.#report.add(key, { path: ['remove'], message })
      } else if (value.is === 'list') {
        for (const [index, item] of value.items.entries()) this.#remove(left, item, ['remove', index])
      } else {
        const suggestion = value.is === 'scalar' ? asOnlyItem(value) : undefined
        this.#report.add(value, { path: ['remove'], message: 'remove is a list of addresses', suggestion })
      }
    }
    return left
  }

  /** With lists of entries of its own: trees of files are kept, and never changed. */
  #copied(root: MapNode): MapNode {
    const pairs = new Map(root.pairs)
    for (const section of this.#sections) {
      const there = pairs.get(section)
      if (there?.value.is === 'map')
        pairs.set(section, { ...there, value: { ...there.value, pairs: new Map(there.value.pairs) } })
    }
    return { ...root, pairs }
  }

  #remove(root: MapNode, item: Node, path: Path): void {
    const address = item.is === 'scalar' ? item.text : ''
    const [section = '', name = ''] = address.split(/\.(.*)/s)
    const there = this.#sections.includes(section) ? pairOf(root, section) : undefined
    if (there?.value.is !== 'map' || !there.value.pairs.has(name)) {
      this.#refuse(root, item, address, path)
      return
    }
    this.#removed.set(address, item)
    there.value.pairs.delete(name)
  }

  #refuse(root: MapNode, item: Node, address: string, path: Path): void {
    if (item.is !== 'scalar')
      return this.#report.add(item, { path, message: 'an address is a text: SECTION.NAME' })
    const also = this.#removed.get(address)
    if (also !== undefined)
      return this.#report.add(item, { path, message: `${address} has already been removed`, also })
    if (!this.#complete) return
    const known = this.#sections.flatMap((section) => {
      const entries = pairOf(root, section)?.value
      return entries?.is === 'map' ? [...entries.pairs.keys()].map((name) => `${section}.${name}`) : []
    })
    this.#report.add(item, {
      path,
      message: `no earlier --file declares ${quoted(address)}; an address is SECTION.NAME`,
      suggestion: this.#report.nearest(address, known),
    })
  }
}
