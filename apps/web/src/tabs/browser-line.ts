import type { Ready } from '@foyer/protocol/events'
import type { Gateway } from '@foyer/sdk/gateway'
import { type GatewayLine, type GatewaySocket, type SocketEvents, webSocketLine } from '@foyer/sdk/line'
import { randomNonce } from '@foyer/sdk/nonce'
import { buildOf } from '#src/session/build.ts'
import type { Store } from '#src/store/store.ts'
import { type Greeting, readyOf } from './snapshot.ts'
import { TabLine } from './tab-line.ts'
import type { OpenChannel } from './wire.ts'

interface BrowserLineParts {
  /** Known once the gateway connects. */
  readonly login: () => string | null
  readonly store: () => Store
  readonly gateway: () => Pick<Gateway, 'reconnectNow'>
}

/**
 * The line of this tab's gateway. Tabs of one login and one build share a connection, where the browser lets them find each
 * other: it withholds locks from pages that are served without TLS.
 */
export class BrowserLine implements GatewayLine {
  readonly #parts: BrowserLineParts
  readonly #ends: (() => void)[] = []
  #tabs: TabLine | undefined
  #greeting: Greeting | undefined

  constructor(parts: BrowserLineParts) {
    this.#parts = parts
  }

  open(url: string, events: SocketEvents): GatewaySocket {
    const locks: LockManager | undefined = navigator.locks
    const login = this.#parts.login()
    if (locks === undefined || login === null) return webSocketLine.open(url, events)
    this.#tabs ??= this.#join(locks, login)
    return this.#tabs.open(url, events)
  }

  hurry(): void {
    // What a tab shows that nobody looks at any more must not come first.
    if (!document.hidden) this.#tabs?.hurry()
  }

  /** Takes what READY tells once. */
  greet({ ice_servers, session_id, server }: Ready): void {
    this.#greeting = { ice_servers, session_id, server }
  }

  /** After the gateway was closed. */
  close(): void {
    for (const end of this.#ends) end()
    this.#tabs?.close()
  }

  #join(locks: LockManager, login: string): TabLine {
    const { store, gateway } = this.#parts
    const name = `foyer.tabs ${login} ${buildOf(document)}`
    const tabs = new TabLine({
      name,
      tab: randomNonce(),
      locks,
      line: webSocketLine,
      openChannel: (listener) => openChannel(name, listener),
      userId: () => store().get().me?.id,
      snapshot: () => readyOf(store().get(), this.#greeting),
      hurry: () => gateway().reconnectNow(),
    })
    this.#listen(document, 'freeze', () => tabs.suspend())
    this.#listen(document, 'resume', () => tabs.resume())
    this.#listen(window, 'pagehide', () => tabs.suspend())
    this.#listen(window, 'pageshow', () => tabs.resume())
    this.#listen(window, 'focus', () => tabs.hurry())
    return tabs
  }

  #listen(target: EventTarget, name: string, listener: () => void): void {
    target.addEventListener(name, listener)
    this.#ends.push(() => target.removeEventListener(name, listener))
  }
}

function openChannel(name: string, listener: Parameters<OpenChannel>[0]): ReturnType<OpenChannel> {
  const channel = new BroadcastChannel(name)
  channel.addEventListener('message', ({ data }) => listener(data))
  return { post: (message) => channel.postMessage(message), close: () => channel.close() }
}
