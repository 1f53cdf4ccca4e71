import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Files, nodeFiles, type WritableFile } from '../../../../reconciler/state/index.ts'

/**
 * What a crash leaves: after a kill, everything that was done; after a power cut, only what was synced, or also file
 * names without content.
 */
export const crashes = ['kill', 'power cut', 'power cut that kept the names'] as const
export type Crash = (typeof crashes)[number]

class Cut extends Error {}

interface Inode {
  content: Buffer
  synced: Buffer
}

/**
 * A real folder that can be cut off at any operation that changes it. That operation is not done, or half done if it is
 * a write, and nothing works from then on. It also notes what was synced, to show what a power cut would leave.
 */
export class Disk {
  readonly files: Files
  /** How many changing operations there were so far. */
  operations = 0
  readonly #folder: string
  #cutAt = Infinity
  #names = new Map<string, Inode>()
  #syncedNames = new Map<string, Inode>()

  constructor(folder: string) {
    this.#folder = folder
    for (const name of readdirSync(folder)) {
      const content = readFileSync(join(folder, name))
      this.#names.set(join(folder, name), { content, synced: content })
    }
    this.#syncedNames = new Map(this.#names)
    this.files = {
      ...nodeFiles,
      read: (path) => this.#whileOn(() => nodeFiles.read(path)),
      stat: (path) => this.#whileOn(() => nodeFiles.stat(path)),
      list: (path) => this.#whileOn(() => nodeFiles.list(path)),
      free: () => this.#whileOn(() => Promise.resolve(undefined)),
      create: (path) => this.#create(path),
      rename: (from, to) => this.#change(() => this.#rename(from, to)),
      link: (from, to) => this.#change(() => this.#link(from, to)),
      unlink: (path) => this.#change(() => this.#unlink(path)),
      syncFolder: () =>
        this.#change(() => {
          this.#syncedNames = new Map(this.#names)
          return Promise.resolve()
        }),
    }
  }

  /** Cuts at the operation with this number, counted from 0. */
  cutAt(operation: number): void {
    this.#cutAt = operation
  }

  get isCut(): boolean {
    return this.operations > this.#cutAt
  }

  /** Changes the real folder to what the crash leaves. */
  settle(crash: Crash): void {
    if (crash === 'kill') return
    for (const name of readdirSync(this.#folder)) rmSync(join(this.#folder, name))
    const names = crash === 'power cut' ? this.#syncedNames : this.#names
    for (const [path, { synced }] of names) writeFileSync(path, synced, { mode: 0o600 })
  }

  async #whileOn<T>(work: () => Promise<T>): Promise<T> {
    if (this.isCut) throw new Cut()
    return work()
  }

  /** `half` is what happens at the cut itself. */
  async #change<T>(work: () => Promise<T>, half?: () => Promise<unknown>): Promise<T> {
    const wasCut = this.isCut
    this.operations += 1
    if (this.isCut && !wasCut) await half?.()
    if (this.isCut) throw new Cut()
    return work()
  }

  async #create(path: string): Promise<WritableFile> {
    const inode: Inode = { content: Buffer.alloc(0), synced: Buffer.alloc(0) }
    const file = await this.#change(() => nodeFiles.create(path))
    this.#names.set(path, inode)
    const write = (bytes: Uint8Array) => {
      inode.content = Buffer.concat([inode.content, bytes])
      return file.write(bytes)
    }
    return {
      write: (bytes) =>
        this.#change(
          () => write(bytes),
          () => write(bytes.subarray(0, bytes.length >> 1)),
        ),
      sync: () =>
        this.#change(() => {
          inode.synced = inode.content
          return Promise.resolve()
        }),
      // The files of a dead process are closed, too.
      close: () => file.close(),
    }
  }

  async #rename(from: string, to: string): Promise<void> {
    await nodeFiles.rename(from, to)
    this.#give(to, from)
    this.#names.delete(from)
  }

  async #link(from: string, to: string): Promise<void> {
    await nodeFiles.link(from, to)
    this.#give(to, from)
  }

  async #unlink(path: string): Promise<void> {
    await nodeFiles.unlink(path)
    this.#names.delete(path)
  }

  #give(to: string, from: string): void {
    const inode = this.#names.get(from)
    if (inode !== undefined) this.#names.set(to, inode)
  }
}
