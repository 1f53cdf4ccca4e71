/** Computes once for each key what follows from it alone; the key must not change after that. */
export const oncePer = <K extends object, T>(make: (key: K) => T): ((key: K) => T) => {
  const made = new WeakMap<K, { readonly value: T }>()
  return (key) => {
    let known = made.get(key)
    if (known === undefined) made.set(key, (known = { value: make(key) }))
    return known.value
  }
}
