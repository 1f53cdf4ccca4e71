import { type Files, nodeFiles } from '../../../../reconciler/state/index.ts'

export const systemError = (code: string): Error => Object.assign(new Error(`${code}: injected`), { code })

/** Real files, with some operations replaced. */
export const filesWith = (changed: Partial<Files>): Files => ({ ...nodeFiles, ...changed })

/** Real files on a disk that can be full: a write then leaves half of its bytes and fails. */
export const fillableDisk = (): { files: Files; full: boolean } => {
  const disk = { files: nodeFiles, full: false }
  disk.files = filesWith({
    create: async (path) => {
      const file = await nodeFiles.create(path)
      return {
        ...file,
        write: async (bytes) => {
          await file.write(disk.full ? bytes.subarray(0, bytes.length >> 1) : bytes)
          if (disk.full) throw systemError('ENOSPC')
        },
      }
    },
  })
  return disk
}
