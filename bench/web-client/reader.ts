import { SESSION_COOKIE } from '@foyer/protocol/token-names'
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import type { Foyer } from '../server/foyer.ts'
import type { Room, Scene } from './scene.ts'

/**
 * Maximum wait for a measurement that the page reports, and for Playwright's actions in it. Shorter than the time limit in
 * bench/smoke.test.ts, so that the wait fails before the run is killed.
 */
const PATIENCE_MS = 60_000
const WINDOW = { width: 1280, height: 800 }

/** A user with a browser of their own, on a machine that is slower than this one. */
export class Reader {
  readonly page: Page
  readonly #context: BrowserContext
  readonly #devtools: CDPSession
  readonly #origin: string
  readonly #scene: Scene
  scriptBytes = 0

  static async arrive(browser: Browser, foyer: Foyer, { scene, slowdown }: ReaderOptions): Promise<Reader> {
    const origin = `http://127.0.0.1:${foyer.port}`
    const { session_token, refresh_token: _, ...tokens } = await scene.signIn()
    const context = await browser.newContext({
      viewport: WINDOW,
      locale: 'en-GB',
      storageState: {
        cookies: [],
        origins: [{ origin, localStorage: [{ name: 'foyer.session', value: JSON.stringify(tokens) }] }],
      },
    })
    await context.addCookies([
      { name: SESSION_COOKIE, value: session_token ?? '', url: origin, httpOnly: true },
    ])
    context.setDefaultTimeout(PATIENCE_MS)
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    // Measures the work of the main thread, without waiting for the CPU.
    await devtools.send('Performance.setTimeDomain', { timeDomain: 'threadTicks' })
    await devtools.send('Performance.enable')
    await devtools.send('Network.enable')
    await devtools.send('Runtime.enable')
    await devtools.send('Runtime.addBinding', { name: 'reportToReader' })
    const reader = new Reader({ page, context, devtools, origin, scene })
    await reader.slowDown(slowdown)
    return reader
  }

  private constructor(parts: ReaderParts) {
    this.page = parts.page
    this.#context = parts.context
    this.#devtools = parts.devtools
    this.#origin = parts.origin
    this.#scene = parts.scene
    const scripts = new Set<string>()
    this.#devtools.on('Network.responseReceived', ({ requestId, type }) => {
      if (type === 'Script') scripts.add(requestId)
    })
    this.#devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (scripts.has(requestId)) this.scriptBytes += encodedDataLength
    })
  }

  /** Opens the client at a room. Resolves once the room is shown. @returns the milliseconds it took */
  async open(room: Room): Promise<number> {
    await this.page.addInitScript(noteWhenShown)
    const address = `${this.#origin}/spaces/${this.#scene.writer.spaceId}/rooms/${room.id}`
    const [shown] = await Promise.all([this.nextReport(), this.page.goto(address)])
    return shown
  }

  /** Resolves with the page's next report. Polling would cost the page time. */
  async nextReport(): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    using _timer = setTimeout(() => reject(new Error('the page reports nothing')), PATIENCE_MS)
    this.#devtools.once('Runtime.bindingCalled', ({ payload }) => resolve(Number(payload)))
    return await promise
  }

  /** Returns the seconds of work of the page's main thread, including the slowdown. */
  async workSeconds(): Promise<number> {
    const { metrics } = await this.#devtools.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
  }

  /** Returns the bytes of the page's objects, after garbage collection. */
  async heapBytes(): Promise<number> {
    await this.#devtools.send('HeapProfiler.collectGarbage')
    await this.#devtools.send('HeapProfiler.collectGarbage')
    const { usedSize } = await this.#devtools.send('Runtime.getHeapUsage')
    return usedSize
  }

  /** @param rate factor by which the CPU is slowed down; 1 for none */
  async slowDown(rate: number): Promise<void> {
    await this.#devtools.send('Emulation.setCPUThrottlingRate', { rate })
  }

  async leave(): Promise<void> {
    await this.#context.close()
  }
}

interface ReaderOptions {
  scene: Scene
  slowdown: number
}

interface ReaderParts {
  page: Page
  context: BrowserContext
  devtools: CDPSession
  origin: string
  scene: Scene
}

/** Runs in the page. Reports when the view is full of painted messages and the composer is ready. */
function noteWhenShown(): void {
  const isFullView = (page: ParentNode = document) => {
    const view = page.querySelector('.message-scroller')?.getBoundingClientRect()
    const rows = page.querySelectorAll('[role="log"] .message')
    const top = rows[0]?.getBoundingClientRect().top
    const bottom = rows[rows.length - 1]?.getBoundingClientRect().bottom
    if (view === undefined || top === undefined || bottom === undefined) return false
    // The messages fill the view: they begin at or above its top, and end less than 50 pixels above its bottom.
    return top <= view.top && bottom <= view.bottom && bottom > view.bottom - 50
  }
  Reflect.set(window, 'isFullView', isFullView)
  const look = () => {
    const canWrite = document.querySelector('.composer-input') !== null
    if (!canWrite || !isFullView()) {
      requestAnimationFrame(look)
      return
    }
    const painted = new MessageChannel()
    painted.port1.onmessage = () => Reflect.get(window, 'reportToReader')(String(performance.now()))
    painted.port2.postMessage(null)
  }
  requestAnimationFrame(look)
}
