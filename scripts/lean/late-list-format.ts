/**
 * As `Intl.ListFormat`, made when a list is told. Packages make theirs as soon as they are loaded, for messages that
 * nobody is told, and Node reads its tables of languages for it: half of its own start.
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
