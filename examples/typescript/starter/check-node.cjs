// Older releases do not run TypeScript: `node --test` would find no tests in it, and say that all is well.
const [major, minor] = process.versions.node.split('.').map(Number)
const runs = (major === 22 && minor >= 21) || (major === 24 && minor >= 11) || major >= 26
if (!runs) {
  console.error(`This needs Node.js 22.21, 24.11, 26 or later; this is ${process.versions.node}.`)
  process.exit(1)
}
