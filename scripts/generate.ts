import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writeBindings } from './constructs/bindings.ts'
import { documents, generatedFolders } from './documents.ts'

const root = join(import.meta.dirname, '..')

// All contents first: if a page cannot be generated, the old ones stay.
const made = documents.map(({ path, content }) => ({ path, text: content() }))
const paths = new Set(made.map(({ path }) => path))

for (const folder of generatedFolders) {
  await mkdir(join(root, folder), { recursive: true })
  for (const name of await readdir(join(root, folder)))
    if (!paths.has(`${folder}/${name}`)) await rm(join(root, folder, name))
}
for (const { path, text } of made) {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}
console.log(`${String(made.length)} documents written.`)
console.log(`${String(await writeBindings())} files of bindings written.`)
