/** The part of ServiceWorkerGlobalScope used here. TypeScript cannot load its types together with the DOM's. */
export interface WorkerScope {
  readonly location: Location
  readonly caches: CacheStorage
  readonly registration: Pick<ServiceWorkerRegistration, 'showNotification' | 'getNotifications'>
  readonly navigator: { readonly locks: Pick<LockManager, 'query'> }
  readonly clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly OpenPage[]>
    openWindow(url: string): Promise<unknown>
    claim(): Promise<void>
  }
  skipWaiting(): Promise<void>
  addEventListener<Name extends keyof WorkerEvents>(
    name: Name,
    listener: (event: WorkerEvents[Name]) => void,
  ): void
}

/** An open tab or window of the app. */
export interface OpenPage {
  readonly url: string
  readonly focused: boolean
  readonly visibilityState: DocumentVisibilityState
  focus(): Promise<unknown>
  postMessage(message: unknown): void
}

interface WorkerEvents {
  install: Extendable
  activate: Extendable
  fetch: FetchAsked
  message: Extendable & { readonly data: unknown }
  push: Pushed
  notificationclick: Clicked
}

export interface Extendable {
  waitUntil(work: Promise<unknown>): void
}

export interface FetchAsked extends Extendable {
  readonly request: Request
  respondWith(answer: Promise<Response>): void
}

export interface Pushed extends Extendable {
  readonly data: { json(): unknown } | null
}

export interface Clicked extends Extendable {
  readonly notification: Notification
}
