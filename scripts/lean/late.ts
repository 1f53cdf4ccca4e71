/** Stands for a function, a class or a module that is loaded when it is first asked for anything. */
export const late = (load: () => object): object =>
  // Whatever is called or constructed has to be a function itself.
  new Proxy(function standing() {}, {
    apply: (_, self, given: unknown[]): unknown => Reflect.apply(load() as CallableFunction, self, given),
    construct: (_, given): object => Reflect.construct(load() as NewableFunction, given) as object,
    get: (_, name): unknown => Reflect.get(load(), name),
  })
