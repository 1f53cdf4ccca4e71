'use strict'

// Runs a bundle with the code that V8 compiled for earlier commands. Node's own cache holds a module as it is
// before its first line runs: without the functions that are called later, which are nearly all.
const {
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} = require('node:fs')
const { createRequire } = require('node:module')
const { basename, dirname, isAbsolute, join } = require('node:path')
const {
  cachedDataVersionTag,
  getHeapCodeStatistics,
  getHeapSpaceStatistics,
  setFlagsFromString,
} = require('node:v8')
const { Script } = require('node:vm')
const { crc32 } = require('node:zlib')

const HEAD = '(function (exports, require, module, __filename, __dirname) {'
const TAIL = '\n})'

/**
 * Runs a CommonJS file; files beside it that it requires are run in the same way.
 *
 * @param keeping the cache folder, undefined if nothing is cached; a word for the command, because different
 * commands need different code; and `asAtStart`, which runs a function under the settings that V8 had at the
 * start, because V8 rejects caches written under other settings
 */
function run(file, keeping) {
  const bytes = wrapped(file)
  const native = createRequire(file)
  const near = (id) => (id.startsWith('./') ? run(join(dirname(file), id), keeping) : native(id))
  const source = { file, name: basename(file, '.cjs'), whole: bytes.toString(), sum: crc32(bytes) }
  return runWhole({ ...source, apart: crc32(file) }, keeping, near)
}

/**
 * The content of a file as a function: wrapped while it is read, because texts of this size would be copied
 * otherwise.
 */
function wrapped(file) {
  const opened = openSync(file, 'r')
  try {
    const bytes = Buffer.allocUnsafeSlow(HEAD.length + fstatSync(opened).size + TAIL.length)
    let end = bytes.write(HEAD)
    for (let read = 1; read > 0; end += read)
      read = readSync(opened, bytes, end, bytes.length - TAIL.length - end)
    end += bytes.write(TAIL, end)
    return bytes.subarray(0, end)
  } finally {
    closeSync(opened)
  }
}

/**
 * Runs the text of a CommonJS module that is inside a file.
 *
 * @param source `file`, `text` and its `sum`; `name` and the number `apart` are the cache key
 * @param near the `require` for its imports
 */
function runSource({ text, ...source }, keeping, near) {
  return runWhole({ ...source, whole: HEAD + text + TAIL }, keeping, near)
}

function runWhole(source, keeping, near) {
  const { file } = source
  const script = keeping.asAtStart(() => compiled(source, keeping))
  const module = { exports: {} }
  const requiring = (id) => keeping.asAtStart(() => near(id))
  script.runInThisContext()(module.exports, requiring, module, file, dirname(file))
  return module.exports
}

function compiled(source, keeping) {
  const kept = keeping.folder === undefined ? undefined : new Kept(source, keeping)
  const script = new Script(source.whole, {
    filename: source.file,
    columnOffset: -HEAD.length,
    cachedData: quietly(() => kept?.read()),
  })
  if (kept !== undefined)
    process.once('exit', () => quietly(() => keeping.asAtStart(() => kept.keep(script))))
  return script
}

/** The cache only saves time: its failures must not affect the command. */
function quietly(work) {
  try {
    return work()
  } catch {
    return undefined
  }
}

/**
 * The header of a cache file, in words of 32 bits: checksums of the source and of the data; and, as hints without
 * a checksum, the smallest code size (bytes) at the end of a command, and the size of what is compiled (bytes).
 */
const WORDS = 4
const ROOM_AT = 2

/** The cached code of one file. */
class Kept {
  #path
  #source
  #room = Infinity
  #size = 0

  constructor({ name, apart, sum }, { folder, command }) {
    const words = [command, name, hexadecimal(cachedDataVersionTag()), hexadecimal(apart)]
    this.#path = join(folder, words.join('-'))
    this.#source = sum
  }

  /** V8 itself only compares the length of the source, and trusts the data. */
  read() {
    const kept = ownContent(this.#path)
    if (kept === undefined) return undefined
    const [source, sum, room, size] = new Uint32Array(kept.buffer, kept.byteOffset, WORDS)
    const data = kept.subarray(WORDS * 4)
    if (source !== this.#source || sum !== crc32(data)) return undefined
    this.#room = room
    this.#size = size
    // A file that can be read but not touched is as good.
    quietly(() => this.#markUsed())
    return data
  }

  /** Not by access time, which many systems do not update. */
  #markUsed() {
    const now = new Date()
    if (age(this.#path) > DAY) utimesSync(this.#path, now, now)
  }

  /** At the end of a command: rewrites the cache if it lacks much of what is compiled by then. */
  keep(script) {
    const room = roomOfCode()
    const isRead = script.cachedDataRejected === false
    // The code size is as before. A large command takes more room, because V8 recompiles hot functions; that does
    // not mean that the cache lacks anything. Less room does not mean that the cache is complete either, if a
    // large command has written it.
    if (isRead && room > this.#room * 0.95 && room < this.#room * 1.1) return
    const least = Math.min(room, this.#room)
    const size = sizeOfCompiled()
    if (isRead && size < this.#size * 1.03) this.#note(least)
    else this.#replace(script, least, size)
  }

  /** Stores the size, so that the next small command finds it unchanged and can skip the exact check. */
  #note(room) {
    if (room === this.#room) return
    const file = openSync(this.#path, 'r+')
    try {
      writeSync(file, Buffer.from(Uint32Array.of(room).buffer), 0, 4, ROOM_AT * 4)
    } finally {
      closeSync(file)
    }
  }

  #replace(script, room, size) {
    // Containers that share a folder can have the same process ids.
    const written = `${this.#path}.${Math.trunc(Math.random() * 2 ** 48).toString(16)}`
    // Opened first, so that no cache is built for a folder that cannot be written to.
    const file = openSync(written, 'wx', 0o600)
    try {
      this.#write(file, script, [room, size])
      renameSync(written, this.#path)
    } catch {
      quietly(() => unlinkSync(written))
      return
    }
    tidy(dirname(this.#path))
  }

  #write(file, script, sizes) {
    try {
      const data = script.createCachedData()
      const words = Uint32Array.of(this.#source, crc32(data), ...sizes)
      writeFileSync(file, Buffer.concat([Buffer.from(words.buffer), data]))
    } finally {
      // Closed before a rename or removal, which Windows refuses for open files.
      closeSync(file)
    }
  }
}

function hexadecimal(word) {
  return word.toString(16).padStart(8, '0')
}

const HOUR = 3_600_000
const DAY = 24 * HOUR
const UNUSED = 30 * DAY

/** The name of a cache file; with a suffix, one that is being written. */
const KEPT = /^[a-z]+-[a-z]+(?:-[\da-f]{8}){2}(?<end>\.[\da-f]+)?$/

/** A folder of Node's own cache, which was used before: in the folder itself, or in one per command. */
const BY_NODE = /^v\d+\.\d+\.\d+-[\da-z]+-[\da-f]{8}(?:-\d+)?$/

/** Removes caches that no command has used for long, such as those of a replaced Node, and incomplete ones. */
function tidy(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    quietly(() => {
      const path = join(folder, entry.name)
      if (entry.isFile()) tidyFile(path, KEPT.exec(entry.name))
      else if (entry.isDirectory()) tidyFolder(path, entry.name)
    })
}

function tidyFile(path, named) {
  if (named !== null && age(path) > (named.groups.end === undefined ? UNUSED : HOUR)) unlinkSync(path)
}

function tidyFolder(path, name) {
  if (BY_NODE.test(name)) return tidyNodes(path)
  if (!/^[a-z]+$/.test(name)) return
  const within = readdirSync(path, { withFileTypes: true })
  const byNode = within.filter((each) => each.isDirectory() && BY_NODE.test(each.name))
  if (byNode.length === 0) return
  for (const each of byNode) tidyNodes(join(path, each.name))
  // Fails if files are left.
  rmdirSync(path)
}

function tidyNodes(path) {
  if (age(path) > UNUSED) rmSync(path, { recursive: true })
}

function age(path) {
  return Date.now() - lstatSync(path).mtimeMs
}

/** The size of the code spaces, including code of V8's optimizing compilers. */
function roomOfCode() {
  return getHeapSpaceStatistics().find((each) => each.space_name === 'trusted_space')?.space_used_size ?? 0
}

/**
 * The size of what can be cached. V8 walks the whole heap for it: 2 ms for a small command, 10 ms per 60 MB for a
 * large one.
 */
function sizeOfCompiled() {
  return getHeapCodeStatistics().bytecode_and_metadata_size
}

/** The cache folder: one that nobody else can write to. */
function ownFolder() {
  const folder = cacheFolder()
  if (folder === undefined) return undefined
  try {
    makeFolders(folder)
    return isOwn(statSync(folder)) ? folder : undefined
  } catch {
    // The cache only saves time.
    return undefined
  }
}

/** Checked in the opened file: whoever owns a folder above may have put another in the place of ours. */
function ownContent(path) {
  const opened = openSync(path, 'r')
  try {
    return isOwn(fstatSync(opened)) ? readFileSync(opened) : undefined
  } finally {
    closeSync(opened)
  }
}

/** Whether it is this user's, and nobody else can write to it. */
function isOwn({ uid, mode }) {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
}

/** One by one: Node's recursive mkdir loops for ever if the system reports an existing parent as missing. */
function makeFolders(folder) {
  if (existsSync(folder)) return
  if (dirname(folder) !== folder) makeFolders(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

function cacheFolder() {
  const { env, platform } = process
  if (platform === 'win32') return env.LOCALAPPDATA && join(env.LOCALAPPDATA, 'deploymgmt', 'cache')
  // A relative path must be ignored, by the specification; and Terraform runs a provider in somebody's repository.
  if (env.XDG_CACHE_HOME && isAbsolute(env.XDG_CACHE_HOME)) return join(env.XDG_CACHE_HOME, 'deploymgmt')
  if (!env.HOME) return undefined
  return join(env.HOME, platform === 'darwin' ? 'Library/Caches' : '.cache', 'deploymgmt')
}

/** For processes that change no settings. */
function asEver(work) {
  return work()
}

/** V8's heap settings: `start` are its defaults. */
const HEAP = {
  start: ['--semi-space-growth-factor=2', '--heap-growing-percent=0', '--flush-bytecode'],
  later: ['--semi-space-growth-factor=1', '--heap-growing-percent=60', '--no-flush-bytecode'],
}

/**
 * V8 doubles its young generation, up to three times 16 MB, while most objects survive: a third of the memory of a
 * large plan. Here it grows while the command is loaded, to the size that a small plan needs, and then stays; at
 * this size, parallel scavenging costs more than it gains. V8 lets the old generation grow up to fourfold between
 * collections, which is most of the rest; here it grows by 60 %. Bytecode is kept although it was not called for
 * some collections, because it is cached for the next command, which may be a small one.
 *
 * Returns a function that runs work under the initial settings: under others, V8 rejects all cached code,
 * including that of Node's own modules.
 */
function heapSettings() {
  let isLater = false
  const tell = (when) => {
    isLater = when === 'later'
    for (const flag of HEAP[when]) setFlagsFromString(flag)
  }
  setFlagsFromString('--no-parallel-scavenge')
  setImmediate(() => tell('later'))
  return (work) => {
    if (!isLater) return work()
    tell('start')
    try {
      return work()
    } finally {
      tell('later')
    }
  }
}

module.exports = { asEver, heapSettings, ownFolder, run, runSource }
