/** A promise and its two ends. `PromiseWithResolvers` by another name: Node 20 and older browsers do not have it. */
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
