/** A position in a file. */
interface FilePlace {
  readonly file: string
  readonly line?: number
  readonly column?: number
}

/** Parses `FILE:LINE:COLUMN`; the file can have any name. */
export const placeParts = (declaredAt: string): FilePlace => {
  const { file, line, column } =
    /^(?<file>.*?)(?::(?<line>[1-9]\d{0,8}))?(?::(?<column>[1-9]\d{0,8}))?$/su.exec(declaredAt)?.groups ?? {}
  return {
    file: file ?? declaredAt,
    ...(line === undefined ? {} : { line: Number(line) }),
    ...(column === undefined ? {} : { column: Number(column) }),
  }
}

/** `FILE:LINE` of a `FILE:LINE:COLUMN`. */
export const fileAndLine = (declaredAt: string | undefined): string | undefined =>
  declaredAt?.replace(/^(.*:\d+):\d+$/s, '$1')
