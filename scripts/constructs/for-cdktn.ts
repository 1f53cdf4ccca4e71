import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'

const TWIN = 'cdktn'

/**
 * Writes the built package a second time into `dist/cdktn/`, for projects that use `cdktn` under its own name: the
 * two import different names, and their classes are incompatible. Run by every build; up-to-date files are not
 * rewritten.
 */
export const writeForCdktn = async (dist: string): Promise<void> => {
  const twin = join(dist, TWIN)
  await mkdir(twin, { recursive: true })
  const built = (await modulesIn(dist)).filter((path) => !path.startsWith(TWIN + sep))
  for (const path of await modulesIn(twin)) if (!built.includes(path)) await rm(join(twin, path))
  for (const path of built)
    await writeUnlessSo(join(twin, path), importingCdktn(await readFile(join(dist, path), 'utf8')))
}

const modulesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.(?:js|d\.ts)$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))

const writeUnlessSo = async (path: string, text: string): Promise<void> => {
  const there = await readFile(path, 'utf8').catch(() => undefined)
  if (there === text) return
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

const importingCdktn = (text: string): string =>
  text
    .replaceAll(/(from |require\(|import\()(['"])cdktf\2/g, '$1$2cdktn$2')
    .replaceAll(/^\/\/# sourceMappingURL=.*$/gm, '')

if (import.meta.main) await writeForCdktn(join(import.meta.dirname, '..', '..', 'constructs', 'dist'))
