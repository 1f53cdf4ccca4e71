import { relative } from 'node:path'

/** A path as a person in a folder would type it. */
export const typed = (cwd: string, path: string): string => {
  const near = relative(cwd, path)
  return near.startsWith('..') ? path : near
}
