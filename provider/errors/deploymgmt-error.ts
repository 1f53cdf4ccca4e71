/**
 * The base of every error a user can meet. One subclass a file, each with a stable `code` that
 * `docs/errors.md` documents.
 *
 * A message has three parts, in this order: what failed, where (`file:line:column` or
 * `METHOD path → status`), and what to do. None of them ever holds a secret.
 */
export abstract class DeploymgmtError extends Error {
  /** Stable, documented, and unique: `DM-…`. */
  abstract readonly code: string
  /** Where it happened: `deploymgmt.yaml:12:15`, or `GET https://… → 401`. */
  readonly where: string | undefined
  /** What the reader can do about it; a sentence. */
  readonly hint: string | undefined
  /** The process exit code this error leads to. */
  readonly exitCode: number = 1

  constructor(what: string, options: { where?: string; hint?: string; cause?: unknown } = {}) {
    super(what, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.where = options.where
    this.hint = options.hint
  }

  /** The whole message as a person sees it, without colour. */
  describe(): string {
    return [
      `Error ${this.code}: ${this.message}`,
      ...(this.where === undefined ? [] : [`  ${this.where}`]),
      ...(this.hint === undefined ? [] : [`  ${this.hint}`]),
    ].join('\n')
  }
}
