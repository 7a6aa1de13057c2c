import type { Page, Request } from 'playwright-core'

const ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
/** Opcode of heartbeats. The log omits them, because they depend on time. */
const HEARTBEAT = 1

/** Records the requests of a page, and the commands that it sends to the gateway. */
export class RequestLog {
  #lines: string[] = []
  readonly #files: string[] = []

  constructor(page: Page) {
    page.on('request', (request) => this.#note(request))
    page.on('websocket', (socket) => {
      this.#lines.push('connect /gateway')
      socket.on('framesent', ({ payload }) => {
        const { op }: { op: number } = JSON.parse(String(payload))
        if (op !== HEARTBEAT) this.#lines.push(`send op ${op}`)
      })
    })
  }

  /** Returns the requests since the last call, sorted, with `:id` for each id. */
  take(): string[] {
    return this.#lines.splice(0).sort()
  }

  /** Paths of the files requested more than once since the page was last loaded. */
  get repeated(): string[] {
    return this.#files.filter((path, index) => this.#files.indexOf(path) !== index)
  }

  #note(request: Request): void {
    const { pathname, protocol } = new URL(request.url())
    if (request.isNavigationRequest()) this.#files.length = 0
    const isOfServer = /^\/(api|attachments|storage)\//.test(pathname)
    if (isOfServer) this.#lines.push(`${request.method()} ${pathname.replace(ID, ':id')}`)
    else if (protocol.startsWith('http')) this.#files.push(pathname)
  }
}
