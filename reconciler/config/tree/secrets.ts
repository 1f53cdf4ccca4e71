import { nearest, type Fields, type FieldType, type ManifestPart } from '@deploymgmt/provider/core'
import { childrenOf, type Node } from './node.ts'

/** Words in a key that suggest a secret. */
export const SOUNDS_SECRET = /pass(word|wd|phrase)|secret|token|private|credential/i

/**
 * Finds values at places of declared secrets, or under a name that sounds like a secret or is similar to one,
 * anywhere; hides them from every excerpt, and returns them, so that no message quotes them.
 */
export const hideSecrets = (root: Node, parts: Readonly<Record<string, ManifestPart>>): ReadonlySet<Node> => {
  const isSecret = judge(parts)
  const hidden = new Set<Node>()
  const seen = new Set<Node>()
  const visit = (node: Node, depth: number): void => {
    if (seen.has(node)) return
    seen.add(node)
    if (node.is === 'list') for (const item of node.items) visit(item, depth)
    if (node.is !== 'map') return
    for (const [name, { value }] of node.pairs) {
      // Above the level of fields, a key is the name of an entry, which may be any word.
      const isName = depth < FIELDS && value.is === 'map'
      if (!isName && isSecret(name) && !isReference(value)) hide(value, hidden)
      if (value.is !== 'scalar' && !clean.has(value)) visit(value, depth + 1)
    }
  }
  visit(root, 1)
  if (hidden.size === 0 && root.is === 'map')
    for (const [name, { value }] of root.pairs)
      if (Object.hasOwn(parts, name) && value.is !== 'scalar') clean.add(value)
  return hidden
}
const FIELDS = 3
/**
 * Sections of files without a secret, which are not searched again as parts of the merged tree. Values of variable
 * files are searched again in the places where the manifest uses them.
 */
const clean = new WeakSet<Node>()

/** Whether a key names a secret: it is declared as one, sounds like one, or is a misspelling of one. */
const judge = (parts: Readonly<Record<string, ManifestPart>>): ((key: string) => boolean) => {
  const { secret, other } = fieldNames(parts)
  const [secrets, all] = [[...secret], [...secret, ...other]]
  const isMisspelt = (key: string): boolean => {
    // Few names are secret, so a name that is similar to none of them is not compared with all.
    if (other.has(key) || nearest(key, secrets) === undefined) return false
    const meant = nearest(key, all)
    return meant !== undefined && secret.has(meant)
  }
  const judged = new Map<string, boolean>()
  return (key) => {
    let judgement = judged.get(key)
    if (judgement === undefined) {
      judgement = secret.has(key) || SOUNDS_SECRET.test(key) || isMisspelt(key)
      judged.set(key, judgement)
    }
    return judgement
  }
}

/** `{ env: NAME }` and `{ file: PATH }` refer to secrets, and are none. */
const isReference = (node: Node): boolean =>
  node.is === 'map' &&
  [...node.pairs].every(([name, { value }]) => ['env', 'file'].includes(name) && value.is === 'scalar')

const hide = (node: Node, hidden: Set<Node>): void => {
  if (hidden.has(node)) return
  hidden.add(node)
  node.source.hidden.push({ start: node.start, end: node.end })
  for (const child of childrenOf(node)) hide(child, hidden)
}

/** The names of all fields, secret ones separately. */
const fieldNames = (
  parts: Readonly<Record<string, ManifestPart>>,
): { secret: Set<string>; other: Set<string> } => {
  const names = { secret: new Set<string>(), other: new Set<string>() }
  const visit = (fields: Fields): void => {
    for (const [name, { type }] of Object.entries(fields)) {
      names[type.is === 'secret' ? 'secret' : 'other'].add(name)
      visitType(type)
    }
  }
  const visitType = (type: FieldType): void => {
    if (type.is === 'object') visit(type.fields)
    if (type.is === 'set' || type.is === 'list') visitType(type.of)
  }
  for (const [name, { type }] of Object.entries(parts)) {
    names.other.add(name)
    visitType(type.is === 'map' ? type.of : type)
  }
  return names
}
