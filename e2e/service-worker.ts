import type { CDPSession, Page, Worker } from 'playwright-core'
import { eventually } from './eventually.ts'
import type { Person } from './person.ts'

/** Waits until the service worker controls the page, and the page holds the lock of its build. */
export async function workerReady({ page }: Person): Promise<void> {
  const isReady = async () => {
    const { held = [] } = await navigator.locks.query()
    const isListening = held.some(({ name = '' }) => name.startsWith('foyer-build:'))
    return isListening && navigator.serviceWorker.controller !== null
  }
  await eventually(() => page.evaluate(isReady), true)
}

/**
 * Lets a new service worker take over. It waits for the previous worker to stop, which does not happen by itself while a test
 * is attached.
 */
export async function letTakeOver(page: Page): Promise<void> {
  const isInstalling = async () => (await navigator.serviceWorker.getRegistration())?.installing !== null
  const isWaiting = async () => (await navigator.serviceWorker.getRegistration())?.waiting !== null
  await eventually(() => page.evaluate(isInstalling), false)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('ServiceWorker.enable')
  // Repeated, because a late request of the page may start the previous worker again.
  const restAndLook = async () => {
    await devtools.send('ServiceWorker.stopAllWorkers')
    return page.evaluate(isWaiting)
  }
  await eventually(restAndLook, false)
  await devtools.detach()
}

/** Replaces the push service of the browser's vendor: delivers pushes through the debugger. */
export class PushService {
  readonly #devtools: CDPSession
  readonly #origin: string
  readonly #registrationId: string

  static async of(person: Person): Promise<PushService> {
    const devtools = await person.context.newCDPSession(person.page)
    const found = Promise.withResolvers<string>()
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations
      if (registration !== undefined) found.resolve(registration.registrationId)
    })
    await devtools.send('ServiceWorker.enable')
    return new PushService(devtools, new URL(person.page.url()).origin, await found.promise)
  }

  private constructor(devtools: CDPSession, origin: string, registrationId: string) {
    this.#devtools = devtools
    this.#origin = origin
    this.#registrationId = registrationId
  }

  async deliver(payload: object): Promise<void> {
    await this.#devtools.send('ServiceWorker.deliverPushMessage', {
      origin: this.#origin,
      registrationId: this.#registrationId,
      data: JSON.stringify(payload),
    })
  }
}

interface Shown {
  readonly title: string
  readonly body?: string
  readonly tag?: string
}

/**
 * Replaces the system's notifications, which headless browsers lack. Pages and workers call the usual functions, which then
 * record the notifications.
 */
export class Centre {
  readonly #person: Person

  /** Must be called before the page loads. */
  static async of(person: Person): Promise<Centre> {
    await person.context.addInitScript(allow)
    await person.context.addInitScript(keepShown)
    return new Centre(person)
  }

  private constructor(person: Person) {
    this.#person = person
  }

  /** Returns the notifications that a page of the person has shown. */
  ofPage(page: Page = this.#person.page): Promise<string[]> {
    return page.evaluate(listShown)
  }

  async ofWorker(): Promise<string[]> {
    return (await this.#worker()).evaluate(listShown)
  }

  async #worker(): Promise<Worker> {
    const [worker] = this.#person.context.serviceWorkers()
    if (worker === undefined) throw new Error('there is no worker')
    await worker.evaluate(keepShown)
    return worker
  }

  /** Clicks the first notification that the worker has shown. */
  async click(): Promise<void> {
    const worker = await this.#worker()
    await worker.evaluate(async () => {
      const [notification] = await Reflect.get(self, 'registration').getNotifications()
      const click = Object.assign(new Event('notificationclick'), {
        notification,
        waitUntil: () => undefined,
      })
      self.dispatchEvent(click)
    })
  }
}

function allow(): void {
  let permission: NotificationPermission = 'default'
  Object.defineProperty(Notification, 'permission', { get: () => permission })
  Notification.requestPermission = async () => {
    permission = 'granted'
    return permission
  }
}

function keepShown(): void {
  if (Reflect.has(self, 'shown') || !self.isSecureContext) return
  const { prototype } = ServiceWorkerRegistration
  let shown: (Shown & { close(): void })[] = []
  const without = (tag: string | undefined) => shown.filter((other) => other.tag !== tag)
  Reflect.set(self, 'shown', () => shown.map(({ title, body }) => `${title}: ${body}`))
  Reflect.set(prototype, 'showNotification', async (title: string, options: NotificationOptions) => {
    const { tag } = options
    shown = [...without(tag), { ...options, title, close: () => (shown = without(tag)) }]
  })
  Reflect.set(prototype, 'getNotifications', async ({ tag }: { tag?: string } = {}) =>
    shown.filter((other) => tag === undefined || other.tag === tag),
  )
}

function listShown(): string[] {
  return Reflect.get(self, 'shown')()
}

/** Makes the page behave as if its window were behind another window. */
export async function lookAway({ page }: Pick<Person, 'page'>): Promise<void> {
  await page.evaluate(() => {
    document.hasFocus = () => false
    window.dispatchEvent(new Event('blur'))
  })
}
