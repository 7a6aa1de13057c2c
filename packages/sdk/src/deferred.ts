/** A promise with its resolve and reject functions, because Node 20 and older browsers lack `PromiseWithResolvers`. */
export interface Deferred<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T | PromiseLike<T>) => void
  readonly reject: (reason?: unknown) => void
}

export function defer<T>(): Deferred<T> {
  let resolve: Deferred<T>['resolve'] = () => undefined
  let reject: Deferred<T>['reject'] = () => undefined
  const promise = new Promise<T>((...ends) => {
    ;[resolve, reject] = ends
  })
  return { promise, resolve, reject }
}
