import { Gateway } from '@foyer/sdk/gateway'
import type { SocketEvents } from '@foyer/sdk/line'
import { createAppStore, type Store } from '#src/store/store.ts'
import { type FakeConnection, FakeServer } from './fake-server.ts'
import { type Greeting, readyOf } from './snapshot.ts'
import { TabLine } from './tab-line.ts'
import type { TabLocks, TabMessage } from './wire.ts'

const credential = { scheme: 'Bearer', token: 'token' } as const
const credentials = { current: async () => credential, mend: async () => false }

/** For tests: a browser with tabs of one login, in which nothing arrives by itself. */
export class FakeBrowser {
  readonly server = new FakeServer()
  readonly name: string
  tabs: FakeTab[] = []
  #opened = 0

  constructor(name: string) {
    this.name = name
  }

  openTab(): FakeTab {
    this.#opened += 1
    const tab = new FakeTab(this, `tab ${this.#opened}`)
    this.tabs.push(tab)
    tab.gateway.connect()
    return tab
  }

  post(from: FakeTab, message: TabMessage): void {
    for (const tab of this.tabs) if (tab !== from) tab.messages.push(structuredClone(message))
  }

  /** Has everything arrive that is on its way, and all that follows from it. */
  async settle(): Promise<void> {
    await turn()
    while (this.tabs.some((tab) => tab.take())) await turn()
  }
}

/** Until what is settled has had its effects. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** For tests: a tab, which may be frozen, and end without a word. */
export class FakeTab {
  readonly name: string
  readonly store: Store = createAppStore((show) => show())
  readonly gateway: Gateway
  readonly line: TabLine
  /** The places of all events that it was told, as often as it was. */
  readonly told: string[] = []
  readonly messages: TabMessage[] = []
  readonly #browser: FakeBrowser
  readonly #end = Promise.withResolvers<void>()
  readonly #connections: FakeConnection[] = []
  #thaw = Promise.withResolvers<void>()
  #listener: ((message: TabMessage) => void) | undefined
  #greeting: Greeting | undefined
  #isFrozen = false
  /** What it does to the outside while it is frozen, in truth it does later. */
  #held: (() => void)[] = []

  constructor(browser: FakeBrowser, name: string) {
    this.#browser = browser
    this.name = name
    this.#thaw.resolve()
    this.line = new TabLine({
      name: browser.name,
      tab: name,
      locks: this.#locks(),
      line: { open: (_url, events) => this.#connect(events) },
      openChannel: (listener) => this.#join(listener),
      userId: () => this.store.get().me?.id,
      snapshot: () => readyOf(this.store.get(), this.#greeting),
      hurry: () => this.gateway?.reconnectNow(),
    })
    this.gateway = new Gateway('http://server', credentials, { line: this.line })
    this.gateway.on('READY', (ready) => (this.#greeting = ready))
    this.gateway.onAny((event, data, { s }) => {
      if (s !== undefined && event !== 'READY' && event !== 'RESUMED') this.told.push(s)
      this.store.receive(event, data)
    })
  }

  get isFrozen(): boolean {
    return this.#isFrozen
  }

  freeze(): void {
    if (!this.#isFrozen) this.#thaw = Promise.withResolvers<void>()
    this.#isFrozen = true
  }

  thaw(): void {
    this.#isFrozen = false
    for (const act of this.#held.splice(0)) act()
    this.#thaw.resolve()
  }

  /** The page is left. */
  close(): void {
    this.thaw()
    this.gateway.close()
    this.line.close()
    this.crash()
  }

  /** Its process is gone, with its locks and connections. */
  crash(): void {
    this.#isFrozen = true
    this.#held = []
    this.#listener = undefined
    for (const connection of this.#connections) connection.isOpen = connection.isReady = false
    this.#browser.tabs = this.#browser.tabs.filter((tab) => tab !== this)
    this.#end.resolve()
    // What would still run of it in a test has no effect any more.
    this.gateway.close()
  }

  /** Takes one thing of what has arrived. @returns whether there was one */
  take(): boolean {
    if (this.#isFrozen) return false
    const connection = this.#connections.find(({ isWaiting }) => isWaiting)
    const message = this.messages.shift()
    if (message !== undefined) this.#listener?.(message)
    connection?.deliver()
    return message !== undefined || connection !== undefined
  }

  #act(act: () => void): void {
    if (this.#isFrozen) this.#held.push(act)
    else act()
  }

  #connect(events: SocketEvents) {
    const { connection, socket } = this.#browser.server.connect(events)
    this.#connections.push(connection)
    return {
      send: (frame: Parameters<typeof socket.send>[0]) => this.#act(() => socket.send(frame)),
      close: (code: number) => this.#act(() => socket.close(code)),
    }
  }

  #join(listener: (message: TabMessage) => void) {
    this.#listener = listener
    return {
      post: (message: TabMessage) => this.#act(() => this.#browser.post(this, message)),
      close: () => {
        this.#listener = undefined
      },
    }
  }

  /** A frozen tab asks for nothing, but holds what it has, and what it is given. */
  #locks(): TabLocks {
    return {
      request: async (name, options, granted) => {
        await this.#thaw.promise
        const isOver = this.#end.promise
        const use = async (lock: Lock | null) => {
          await Promise.race([this.#thaw.promise, isOver])
          return Promise.race([granted(lock), isOver])
        }
        try {
          return await navigator.locks.request(name, options, use)
        } catch (error) {
          await this.#thaw.promise
          throw error
        }
      },
    }
  }
}
