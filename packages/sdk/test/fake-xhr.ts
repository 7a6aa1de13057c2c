import { Buffer } from 'node:buffer'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { TestContext } from 'node:test'

/** Defines XMLHttpRequest, as in browsers, until the end of the test. */
export function beBrowser(t: TestContext): void {
  Object.defineProperty(globalThis, 'XMLHttpRequest', { value: FakeXhr, configurable: true })
  t.after(() => Reflect.deleteProperty(globalThis, 'XMLHttpRequest'))
}

/** The parts of XMLHttpRequest that an upload needs, based on Node's own client. */
class FakeXhr {
  readonly upload: { onprogress: ((event: { loaded: number }) => void) | null } = { onprogress: null }
  onload: (() => void) | null = null
  onerror: (() => void) | null = null
  status = 0
  #sending: ClientRequest | undefined
  #answer: IncomingMessage | undefined

  open(method: string, url: string): void {
    this.#sending = request(url, { method })
    this.#sending.on('error', () => this.onerror?.())
    this.#sending.on('response', (answer) => {
      this.#answer = answer.resume()
      this.status = answer.statusCode ?? 0
      answer.on('end', () => this.onload?.())
    })
  }

  setRequestHeader(name: string, value: string): void {
    this.#sending?.setHeader(name, value)
  }

  getAllResponseHeaders(): string {
    return Object.entries(this.#answer?.headers ?? {})
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')
  }

  async send(file: Blob): Promise<void> {
    const bytes = Buffer.from(await file.arrayBuffer())
    this.#sending?.setHeader('content-length', bytes.length)
    this.#sending?.write(bytes.subarray(0, 1))
    this.upload.onprogress?.({ loaded: 1 })
    this.#sending?.end(bytes.subarray(1))
    this.upload.onprogress?.({ loaded: bytes.length })
  }

  abort(): void {
    this.#sending?.destroy()
  }
}
