import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

/**
 * Writes the built package a second time into `dist/cdktn/`, for projects that have `cdktn` under its own
 * name: the two differ in the name that is imported, and a class of one is none of the other.
 */
export const writeForCdktn = async (dist: string): Promise<number> => {
  const twin = join(dist, 'cdktn')
  await rm(twin, { recursive: true, force: true })
  const files = (await readdir(dist, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.(?:js|d\.ts)$/.test(entry.name))
    .map((entry) => relative(dist, join(entry.parentPath, entry.name)))
  for (const path of files) {
    const text = await readFile(join(dist, path), 'utf8')
    await mkdir(dirname(join(twin, path)), { recursive: true })
    await writeFile(join(twin, path), importingCdktn(text))
  }
  return files.length
}

const importingCdktn = (text: string): string =>
  text
    .replaceAll(/(from |require\(|import\()(['"])cdktf\2/g, '$1$2cdktn$2')
    .replaceAll(/^\/\/# sourceMappingURL=.*$/gm, '')

if (process.argv[1] === import.meta.filename)
  console.log(
    `${String(await writeForCdktn(join(import.meta.dirname, '..', '..', 'constructs', 'dist')))} files for cdktn.`,
  )
