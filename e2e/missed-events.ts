import { Opcode } from '@foyer/protocol/gateway'
import type { Page, WebSocketRoute } from 'playwright-core'

/** Hides events with this name from the page, from its next load on. Returns a function that makes the page start a new session. */
export async function withoutEvent(page: Page, name: string): Promise<() => Promise<void>> {
  const sockets: WebSocketRoute[] = []
  await page.routeWebSocket(/\/gateway/, (socket) => {
    const server = socket.connectToServer()
    server.onMessage((message) => {
      if (!String(message).includes(name)) socket.send(message)
    })
    socket.onMessage((message) => server.send(withoutResume(String(message))))
    sockets.push(socket)
  })
  return async () => {
    for (const socket of sockets) await socket.close()
  }
}

function withoutResume(message: string): string {
  const { op, d } = JSON.parse(message)
  return op === Opcode.Resume ? JSON.stringify({ op: Opcode.Identify, d: { ...d, s: undefined } }) : message
}
