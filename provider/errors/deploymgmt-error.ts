/**
 * The base of every error a user can meet. One subclass a file, each with a stable `code` that
 * `docs/errors.md` documents.
 *
 * A message has three parts, in this order: what failed, where (`file:line:column` or
 * `METHOD path → status`), and what to do. None of them ever holds a secret.
 */
export abstract class DeploymgmtError extends Error {
  /** Stable, documented, and unique: `DM-…`. Each class has its own, but for those that are bases of others. */
  declare static readonly code: string
  /** What the code means, in plain text for the docs. */
  declare static readonly meaning: string
  /** What the reader can do, in plain text for the docs; also the hint when there is no better one. */
  declare static readonly remedy: string

  /** That of the class. */
  readonly code: string
  /** Where it happened: `deploymgmt.yaml:12:15`, or `GET https://… → 401`. */
  readonly where: string | undefined
  #hint: string
  /** The process exit code this error leads to. */
  readonly exitCode: number = 1

  constructor(
    what: string,
    options: { where?: string | undefined; hint?: string | undefined; cause?: unknown } = {},
  ) {
    super(what, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.code = new.target.code
    this.where = options.where
    this.#hint = options.hint ?? new.target.remedy
  }

  /** What the reader can do about it; sentences. */
  get hint(): string {
    return this.#hint
  }

  /** Begins the hint with a sentence that only a caller knows. */
  hintingFirst(sentence: string): this {
    this.#hint = `${sentence} ${this.#hint}`
    return this
  }

  /** The whole message as a person sees it, without colour. */
  describe(): string {
    const lines = [`Error ${this.code}: ${this.message}`, this.where, this.hint]
    return lines.filter((line) => line !== undefined).join('\n  ')
  }
}
