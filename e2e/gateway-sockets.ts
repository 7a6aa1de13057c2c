import type { BrowserContext, Page, WebSocket } from 'playwright-core'

interface GatewaySocket {
  readonly page: Page
  readonly socket: WebSocket
  /** Opcodes of the commands that the page sent. */
  readonly sent: number[]
}

/** Records the gateway connections of all pages that a context opens from now on. */
export class GatewaySockets {
  readonly all: GatewaySocket[] = []

  constructor(context: BrowserContext) {
    context.on('page', (page) => page.on('websocket', (socket) => this.#watch(page, socket)))
  }

  get open(): GatewaySocket[] {
    return this.all.filter(({ page, socket }) => !socket.isClosed() && !page.isClosed())
  }

  /** Counts how often commands with this opcode were sent over all connections. */
  sent(op: number): number {
    return this.all.flatMap(({ sent }) => sent).filter((sentOp) => sentOp === op).length
  }

  #watch(page: Page, socket: WebSocket): void {
    if (!socket.url().includes('/gateway')) return
    const sent: number[] = []
    this.all.push({ page, socket, sent })
    socket.on('framesent', ({ payload }) => sent.push(opOf(String(payload))))
  }
}

function opOf(frame: string): number {
  return Number(/"op":(\d+)/.exec(frame)?.[1] ?? -1)
}
