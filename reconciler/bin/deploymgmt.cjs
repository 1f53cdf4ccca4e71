#!/usr/bin/env node
'use strict'

// The entry point of the command: plain CommonJS, so that even an old Node can parse it and say what is wrong.
const { existsSync, writeSync } = require('node:fs')
const { join } = require('node:path')

const [major, minor] = process.versions.node.split('.').map(Number)
const isSupported = (major === 22 && minor >= 21) || (major === 24 && minor >= 11) || major >= 26

// Each of these commands has a cache of its own: code that one needs would slow down the others.
const OFTEN_RUN = ['apply', 'drift', 'plan', 'serve', 'state', 'validate']

if (process.argv.length === 3 && ['--version', '-V'].includes(process.argv[2])) {
  // Needs no further modules, and works with any Node.
  tellVersion(`${require('../package.json').version}\n`)
} else if (isSupported) start()
else startWithOwnNode()

/** Like `console.log`, whose loading takes a tenth of Node's start. */
function tellVersion(line) {
  try {
    writeSync(1, line)
  } catch (error) {
    // A reader that went away needs no message; a stream that is not ready is waited for.
    if (error.code === 'EAGAIN') process.stdout.write(line)
    else if (error.code !== 'EPIPE') refuseToTell(error.code)
  }
}

/** In the words of every other command. */
function refuseToTell(code) {
  console.error(
    `Error DM-OUTPUT: the output cannot be written (${code})\n  stdout\n  Free space where stdout goes, then run the command again.`,
  )
  process.exitCode = 1
}

function start() {
  const built = join(__dirname, '..', 'dist', 'main.cjs')
  if (!existsSync(built)) {
    console.error(
      'Error DM-NOT-BUILT: deploymgmt has not been compiled.\n  Run npm run build in its checkout.',
    )
    process.exit(1)
  }
  const { asEver, heapSettings, ownFolder, run } = require('./compiled.cjs')
  // A service runs on; other commands keep what they have read until they end, so the usual settings would only
  // copy it back and forth.
  const asAtStart = process.argv[2] === 'serve' ? asEver : heapSettings()
  run(built, { folder: ownFolder(), command: commandWord(), asAtStart })
}

function commandWord() {
  return OFTEN_RUN.includes(process.argv[2]) ? process.argv[2] : 'others'
}

/** A checkout contains a Node of its own; an installed package does not, and the user has to act. */
function startWithOwnNode() {
  const node = ownNode()
  if (node === undefined || process.env.DEPLOYMGMT_OWN_NODE === '1') {
    console.error(
      `Error DM-NODE-VERSION: deploymgmt needs Node.js 22.21, 24.11, 26 or later; this is ${process.versions.node}.\n` +
        '  Install a newer Node.js, or in a checkout of this project run it with npx deploymgmt.',
    )
    process.exit(1)
  }
  const { spawn } = require('node:child_process')
  const env = { ...process.env, DEPLOYMGMT_OWN_NODE: '1' }
  const child = spawn(node, [__filename, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env,
  })
  // A terminal signals the whole group; a signal to this process alone has to be passed on.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) =>
    process.exit(signal === null ? (code ?? 1) : 128 + require('node:os').constants.signals[signal]),
  )
}

function ownNode() {
  try {
    const manifest = require.resolve(`node-${process.platform}-${process.arch}/package.json`)
    const node = join(manifest, '..', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
    return existsSync(node) ? node : undefined
  } catch {
    return undefined
  }
}
