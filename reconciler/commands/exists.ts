import { access } from 'node:fs/promises'

/** Whether something that can be reached has this path. */
export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
