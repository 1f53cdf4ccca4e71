'use strict'

// Runs a bundle with what V8 has compiled of it for earlier commands. Node's own cache knows a module as it is before
// its first line has run: without the functions that are called then, which are nearly all.
const { readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { basename, dirname, join } = require('node:path')
const { cachedDataVersionTag, getHeapSpaceStatistics } = require('node:v8')
const { Script } = require('node:vm')
const { crc32 } = require('node:zlib')

const HEAD = '(function (exports, require, module, __filename, __dirname) {'
const TAIL = '\n})'

/**
 * Runs a CommonJS file; those beside it that it requires are run in the same way.
 *
 * @param keeping the folder of what is compiled, undefined where nothing is kept; a word for the command, since what
 * one needs would cost another; and `asAtStart`, which does something under the settings that V8 had at the start: it
 * reads nothing that was written under others
 */
function run(file, keeping) {
  const script = keeping.asAtStart(() => compiled(file, keeping))
  const module = { exports: {} }
  const native = createRequire(file)
  const near = (id) =>
    keeping.asAtStart(() => (id.startsWith('./') ? run(join(dirname(file), id), keeping) : native(id)))
  script.runInThisContext()(module.exports, near, module, file, dirname(file))
  return module.exports
}

function compiled(file, keeping) {
  const bytes = readFileSync(file)
  const kept = keeping.folder === undefined ? undefined : new Kept(file, bytes, keeping)
  const script = new Script(HEAD + bytes.toString() + TAIL, {
    filename: file,
    columnOffset: -HEAD.length,
    cachedData: kept?.read(),
  })
  if (kept !== undefined) process.once('exit', () => keeping.asAtStart(() => kept.keep(script)))
  return script
}

/** In front of what V8 has compiled, in words of 32 bits: sums of the source and of the data, and the size of all code. */
const WORDS = 4

/** What was compiled of one file. */
class Kept {
  #path
  #source
  /** The size of all code, in the command that has written it. */
  #size = 0

  constructor(file, bytes, { folder, command }) {
    const name = [
      command,
      basename(file, '.cjs'),
      cachedDataVersionTag().toString(16),
      crc32(file).toString(16),
    ]
    this.#path = join(folder, name.join('-'))
    this.#source = crc32(bytes)
  }

  /** V8 itself looks at the length of a source alone, and believes what the data say. */
  read() {
    try {
      const kept = readFileSync(this.#path)
      const [source, sum, size] = new Uint32Array(kept.buffer, kept.byteOffset, WORDS)
      const data = kept.subarray(WORDS * 4)
      if (source !== this.#source || sum !== crc32(data)) return undefined
      this.#size = size
      return data
    } catch {
      // There is none yet.
      return undefined
    }
  }

  /** At the end of a command, where it had to compile much itself. */
  keep(script) {
    const size = sizeOfCode()
    if (script.cachedDataRejected === false && size < this.#size * 1.1) return
    const written = `${this.#path}.${String(process.pid)}`
    try {
      const data = script.createCachedData()
      const words = Uint32Array.of(this.#source, crc32(data), size, 0)
      writeFileSync(written, Buffer.concat([Buffer.from(words.buffer), data]), { mode: 0o600, flag: 'wx' })
      renameSync(written, this.#path)
    } catch {
      // It only saves time.
      rmSync(written, { force: true })
    }
  }
}

/** About: of where code lies. To learn more, V8 would go through the whole heap. */
function sizeOfCode() {
  return getHeapSpaceStatistics().find((each) => each.space_name === 'trusted_space')?.space_used_size ?? 0
}

module.exports = { run }
