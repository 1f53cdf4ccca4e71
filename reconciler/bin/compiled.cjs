'use strict'

// Runs a bundle with what V8 has compiled of it for earlier commands. Node's own cache knows a module as it is before
// its first line has run: without the functions that are called then, which are nearly all.
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
 * Runs a CommonJS file; those beside it that it requires are run in the same way.
 *
 * @param keeping the folder of what is compiled, undefined where nothing is kept; a word for the command, since what
 * one needs would cost another; and `asAtStart`, which does something under the settings that V8 had at the start: it
 * reads nothing that was written under others
 */
function run(file, keeping) {
  const bytes = wrapped(file)
  const native = createRequire(file)
  const near = (id) => (id.startsWith('./') ? run(join(dirname(file), id), keeping) : native(id))
  const source = { file, name: basename(file, '.cjs'), whole: bytes.toString(), sum: crc32(bytes) }
  return runWhole({ ...source, apart: crc32(file) }, keeping, near)
}

/** What is in a file, as a function: put together while it is read, since texts of this size are copied for it. */
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
 * Runs the text of a CommonJS module that lies within a file.
 *
 * @param source `file`, `text` and its `sum`; under `name` and the number `apart` it is kept
 * @param near what it requires by
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

/** What is kept only saves time: whatever fails with it is no matter of the command. */
function quietly(work) {
  try {
    return work()
  } catch {
    return undefined
  }
}

/**
 * In front of what V8 has compiled, in words of 32 bits: sums of the source and of the data; and, as hints that no sum
 * guards, the least room (bytes) that code has taken at the end of a command, and how much is compiled (bytes).
 */
const WORDS = 4
const ROOM_AT = 2

/** What was compiled of one file. */
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

  /** V8 itself looks at the length of a source alone, and believes what the data say. */
  read() {
    const kept = readFileSync(this.#path)
    const [source, sum, room, size] = new Uint32Array(kept.buffer, kept.byteOffset, WORDS)
    const data = kept.subarray(WORDS * 4)
    if (source !== this.#source || sum !== crc32(data)) return undefined
    this.#room = room
    this.#size = size
    // A file that can be read and not be touched is as good.
    quietly(() => this.#markUsed())
    return data
  }

  /** Not by the time of access, which many systems are set to leave as it is. */
  #markUsed() {
    const now = new Date()
    if (age(this.#path) > DAY) utimesSync(this.#path, now, now)
  }

  /** At the end of a command: writes it anew where much of what was compiled by then is not in it. */
  keep(script) {
    const room = roomOfCode()
    const isRead = script.cachedDataRejected === false
    // As before. A large command takes more room, since V8 compiles again what is often called: that tells of nothing
    // that is lacking here. Nor does less room tell that all of it is here, where a large command has written it.
    if (isRead && room > this.#room * 0.95 && room < this.#room * 1.1) return
    const least = Math.min(room, this.#room)
    const size = sizeOfCompiled()
    if (isRead && size < this.#size * 1.03) this.#note(least)
    else this.#replace(script, least, size)
  }

  /** So that the next small command finds the room that it takes, and looks no closer. */
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
    // Containers that share a folder share ids of processes, too.
    const written = `${this.#path}.${Math.trunc(Math.random() * 2 ** 48).toString(16)}`
    // First, so that nothing is put together for a folder that cannot be written to.
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
      // Before it is renamed or removed, which Windows does with no file that is open.
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

/** What is kept of one file, and with an end of its own what is being written. */
const KEPT = /^[a-z]+-[a-z]+(?:-[\da-f]{8}){2}(?<end>\.[\da-f]+)?$/

/** A folder of Node's own cache, which was used before: in the folder itself, or in one for each command. */
const BY_NODE = /^v\d+\.\d+\.\d+-[\da-z]+-[\da-f]{8}(?:-\d+)?$/

/** Removes what no command has used for long, such as of a Node that was replaced, and what was never written to its end. */
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
  // Refused where something is left.
  rmdirSync(path)
}

function tidyNodes(path) {
  if (age(path) > UNUSED) rmSync(path, { recursive: true })
}

function age(path) {
  return Date.now() - lstatSync(path).mtimeMs
}

/** Where code lies, that of V8's later compilers with it. */
function roomOfCode() {
  return getHeapSpaceStatistics().find((each) => each.space_name === 'trusted_space')?.space_used_size ?? 0
}

/** What can be kept. V8 goes through the whole heap for it: 2 ms of a small command, 10 ms for each 60 MB of a large one. */
function sizeOfCompiled() {
  return getHeapCodeStatistics().bytecode_and_metadata_size
}

/** Where what is compiled is kept for the next command: a folder that nobody else can write to. */
function ownFolder() {
  const folder = cacheFolder()
  if (folder === undefined) return undefined
  try {
    makeFolders(folder)
    const { uid, mode } = statSync(folder)
    const isOwn = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
    return isOwn ? folder : undefined
  } catch {
    // It only saves time.
    return undefined
  }
}

/** One after the other: where the system says that a parent is missing which is there, Node would try without end. */
function makeFolders(folder) {
  if (existsSync(folder)) return
  if (dirname(folder) !== folder) makeFolders(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

function cacheFolder() {
  const { env, platform } = process
  if (platform === 'win32') return env.LOCALAPPDATA && join(env.LOCALAPPDATA, 'deploymgmt', 'cache')
  // Any other is to be taken for none, by its specification; and Terraform runs a provider in somebody's repository.
  if (env.XDG_CACHE_HOME && isAbsolute(env.XDG_CACHE_HOME)) return join(env.XDG_CACHE_HOME, 'deploymgmt')
  if (!env.HOME) return undefined
  return join(env.HOME, platform === 'darwin' ? 'Library/Caches' : '.cache', 'deploymgmt')
}

/** Where no setting is changed. */
function asEver(work) {
  return work()
}

/** What V8 is told of its heap: `start` is what it does by itself. */
const HEAP = {
  start: ['--semi-space-growth-factor=2', '--heap-growing-percent=0', '--flush-bytecode'],
  later: ['--semi-space-growth-factor=1', '--heap-growing-percent=60', '--no-flush-bytecode'],
}

/**
 * V8 doubles the room for what is new, up to three times 16 MB, while most of it stays: a third of the memory of a
 * large plan. It grows while the command is loaded, to what a small plan needs, and no more from there on; and for so
 * little room, threads of their own cost more than they bring. The room for what is old it lets grow up to fourfold
 * before it collects there again, which is most of the rest; here it grows by 60 %. And what is compiled stays, though
 * it was not called for some collections: it is kept for the next command, which may be a small one.
 *
 * Answers what does something as before that: under another setting V8 reads nothing that it was given compiled, of
 * Node's own modules neither.
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
