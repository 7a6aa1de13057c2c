import { type ClientFrame, parseFrame, type ServerFrame } from './frames.ts'
import { webSocketClass } from './web-socket.ts'

/** The transport of a gateway connection: a WebSocket, or a replacement. */
export interface GatewaySocket {
  /** Lost where it is not open. */
  send(frame: ClientFrame): void
  close(code: number): void
}

/** Not told before the socket was opened to whoever asked for it. */
export interface SocketEvents {
  /** @param frame undefined for what cannot be read */
  receive(frame: ServerFrame | undefined): void
  /** It is closed, from whichever side, with a code of WebSocket's. */
  lost(code: number): void
}

/** Where a gateway's sockets come from: a browser's tabs may have one for all of them. */
export interface GatewayLine {
  open(url: string, events: SocketEvents): GatewaySocket
  /** Somebody does not want to wait for what the line does by itself. */
  hurry(): void
}

/** A WebSocket for each connection. */
export const webSocketLine: GatewayLine = {
  open(url, { receive, lost }) {
    const Socket = webSocketClass()
    const socket = new Socket(url)
    socket.addEventListener('message', (event) => receive(parseFrame(event.data)))
    socket.addEventListener('close', (event) => lost(event.code))
    // The library `ws` throws an error that nobody listens to. Its close event follows.
    socket.addEventListener('error', () => undefined)
    return {
      send: (frame) => socket.readyState === Socket.OPEN && socket.send(JSON.stringify(frame)),
      close: (code) => socket.close(code),
    }
  },
  hurry() {},
}
