import { createHash } from 'node:crypto'

/** One file of a commit. */
interface Entry {
  readonly mode: string
  readonly sha: string
}

/** All files of a commit by their paths; each byte of a path is one character, because git takes any bytes. */
export type Tree = ReadonlyMap<string, Entry>

/** What a commit changes: the bytes of a file, or undefined if it goes. */
export type Changes = ReadonlyMap<string, Buffer | undefined>

export const treeWith = (tree: Tree, changes: Changes): Tree => {
  const next = new Map(tree)
  for (const [path, bytes] of changes)
    if (bytes === undefined) next.delete(path)
    else next.set(path, { mode: '100644', sha: blobName(bytes) })
  return next
}

/** The name that git gives to these bytes. */
const blobName = (bytes: Buffer): string =>
  createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')

/** Reads `git ls-tree -r -z`. */
export const treeFrom = (listing: Buffer): Tree =>
  new Map(
    listing
      .toString('latin1')
      .split('\0')
      .flatMap((line): [string, Entry][] => {
        const found = /^(?<mode>\d+) \w+ (?<sha>[0-9a-f]+)\t(?<path>.+)$/su.exec(line)?.groups
        const { mode, sha, path } = found ?? {}
        return mode === undefined || sha === undefined || path === undefined ? [] : [[path, { mode, sha }]]
      }),
  )

interface Commit {
  readonly tree: Tree
  readonly changes: Changes
  readonly parent: string | undefined
  readonly message: string
  readonly author: string
  /** Seconds since 1970. */
  readonly at: number
  /** A ref of our own repository that leads to the parent commit. */
  readonly ref: string
}

/**
 * A commit in the format of `git fast-import`: all files, the known ones by name. It prints the name of the commit.
 */
export const importOf = ({ tree, changes, parent, message, author, at, ref }: Commit): Buffer => {
  const who = `${author} ${at} +0000`
  const files = [...treeWith(tree, changes)].flatMap(([path, { mode, sha }]) => {
    const bytes = changes.get(path)
    return bytes === undefined
      ? [`M ${mode} ${sha} `, quotedPath(path), '\n']
      : [`M ${mode} inline `, quotedPath(path), '\n', ...data(bytes)]
  })
  return Buffer.concat(
    [
      `commit ${ref}\nmark :1\nauthor ${who}\ncommitter ${who}\n`,
      ...data(Buffer.from(message)),
      parent === undefined ? '' : `from ${parent}\n`,
      'deleteall\n',
      ...files,
      'get-mark :1\ndone\n',
    ].map((part) => Buffer.from(part)),
  )
}

const data = (bytes: Buffer): (string | Buffer)[] => [`data ${bytes.length}\n`, bytes, '\n']

const quotedPath = (path: string): Buffer =>
  Buffer.from(`"${path.replaceAll(/["\\]/gu, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`, 'latin1')

/** Parses the output of `git cat-file --batch` for `count` objects. */
export const contentsFrom = (batch: Buffer, count: number): (Buffer | undefined)[] => {
  let offset = 0
  return Array.from({ length: count }, () => {
    const end = batch.indexOf('\n', offset)
    const size = Number(/ blob (?<size>\d+)$/u.exec(batch.toString('latin1', offset, end))?.groups?.['size'])
    offset = end + 1
    if (Number.isNaN(size)) return undefined
    const bytes = batch.subarray(offset, offset + size)
    offset += size + 1
    return bytes
  })
}
