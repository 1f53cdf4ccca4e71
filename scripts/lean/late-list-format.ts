/**
 * A lazy `Intl.ListFormat`. Packages create theirs on load, for messages that are rarely needed, and Node reads its
 * language tables for it, which takes half as long as its own start.
 */
class LateListFormat {
  readonly #given: ConstructorParameters<typeof Intl.ListFormat>

  constructor(...given: ConstructorParameters<typeof Intl.ListFormat>) {
    this.#given = given
  }

  format(list: Iterable<string>): string {
    const { ListFormat } = globalThis.Intl
    return new ListFormat(...this.#given).format(list)
  }
}

export { LateListFormat as 'Intl.ListFormat' }
