/** A stand-in for a function, a class or a module that is loaded on first use. */
export const late = (load: () => object): object =>
  // The target of a callable or constructible proxy must be a function.
  new Proxy(function standing() {}, {
    apply: (_, self, given: unknown[]): unknown => Reflect.apply(load() as CallableFunction, self, given),
    construct: (_, given): object => Reflect.construct(load() as NewableFunction, given) as object,
    get: (_, name): unknown => Reflect.get(load(), name),
  })
