import type { KindDefinition } from '@deploymgmt/provider/core'
import { checkManifest } from '@deploymgmt/provider/core/check'
import { isNull, pairOf, type MapNode, type Pair } from '../tree/node.ts'
import type { Report } from '../tree/report.ts'
import { same } from './same.ts'

/**
 * Warns about entries that two layers each declare in full: an overlay needs only what differs, so these may be two
 * things that happen to have one name, of which only the later one would exist.
 */
export class DeclaredInFull {
  readonly #kinds: readonly KindDefinition[]
  readonly #report: Report
  /** By section and name: what each layer says of it, the later ones last. */
  readonly #said = new Map<string, Map<string, Said>>()

  constructor(kinds: readonly KindDefinition[], report: Report) {
    this.#kinds = kinds
    this.#report = report
  }

  /** @param before the tree of the earlier layers, without what this one removes */
  compare(before: MapNode, layer: MapNode): void {
    for (const kind of this.#kinds) {
      const [there, own] = [pairOf(before, kind.section)?.value, pairOf(layer, kind.section)?.value]
      if (there?.is !== 'map' || own?.is !== 'map') continue
      for (const [name, pair] of own.pairs) {
        const first = there.pairs.get(name)
        if (first !== undefined) this.#compareEntry(kind, name, first, pair)
      }
    }
  }

  #compareEntry(kind: KindDefinition, name: string, first: Pair, own: Pair): void {
    const section = this.#said.get(kind.section) ?? new Map<string, Said>()
    this.#said.set(kind.section, section)
    const known = section.get(name)
    // What is merged keeps the key of its first declaration; a removed one begins anew.
    const said: Said = known !== undefined && isAtSamePlace(known[0], first) ? known : [first]
    section.set(name, [...said, own])
    if (!isComplete(kind, own.value)) return
    const other = said.find(({ value }) => isComplete(kind, value) && !isOverlay(kind, value, own.value))
    if (other !== undefined)
      this.#report.add(own.key, {
        severity: 'warning',
        path: [kind.section, name],
        message: MESSAGE,
        also: other.key,
      })
  }
}

type Said = readonly [Pair, ...Pair[]]

// Nodes are made when they are asked for.
const isAtSamePlace = ({ key: a }: Pair, { key: b }: Pair): boolean =>
  a.source === b.source && a.start === b.start

const MESSAGE =
  'an earlier --file declares it in full, too, and this one overrides that; if these are two things, rename one of them; if it is one, say only what differs here, or name it under remove here to replace it as a whole'

/** Whether it would be an entry by itself; its project or organization may come from the defaults. */
const isComplete = (kind: KindDefinition, entry: Pair['value']): boolean =>
  entry.is === 'map' && isEnough(kind, namesIn(entry))

const isEnough = (kind: KindDefinition, names: readonly string[]): boolean => {
  const given = Object.fromEntries(names.map((name) => [name, true]))
  const problems = checkManifest([kind], { [kind.section]: { name: given } })
  return (
    !problems.some(({ code, within }) => code === 'missing-key' && within.length === OF_ENTRY) &&
    kind.rules.every((rule) => rule.over !== 'presence' || rule.check(given).length === 0)
  )
}
/** The length of the path of an entry's field. */
const OF_ENTRY = 3

const namesIn = (entry: MapNode): string[] =>
  [...entry.pairs].flatMap(([name, { value }]) => (isNull(value) ? [] : [name]))

/**
 * Whether a complete one is nevertheless a usual overlay: it repeats nothing, and an entry needs so little that what
 * differs is enough for one, such as another id.
 */
const isOverlay = (kind: KindDefinition, before: Pair['value'], own: Pair['value']): boolean => {
  if (before.is !== 'map' || own.is !== 'map') return false
  const names = namesIn(own)
  const repeats = names.some((name) => {
    const [there, here] = [before.pairs.get(name)?.value, own.pairs.get(name)?.value]
    return there !== undefined && here !== undefined && same(there, here)
  })
  if (repeats) return false
  if (names.length === 1) return true
  const needed = names.filter(
    (name) =>
      !isEnough(
        kind,
        names.filter((each) => each !== name),
      ),
  )
  return needed.length === 1 && namesIn(before).some((name) => !names.includes(name))
}
