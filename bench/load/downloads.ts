import { HttpConnection } from './http-connection.ts'

/** Connections that each request one file after the other and expect a redirect. */
export class DownloadLoad {
  /** Latency of each request, in milliseconds. */
  readonly latencies: number[] = []
  readonly #connections: HttpConnection[]
  readonly #askers: Promise<void>[]
  #goesOn = true

  constructor(port: number, paths: readonly string[], connections: number) {
    this.#connections = Array.from({ length: connections }, () => new HttpConnection(port))
    this.#askers = this.#connections.map((connection) => this.#ask(connection, paths))
  }

  async stop(): Promise<void> {
    this.#goesOn = false
    await Promise.all(this.#askers)
    for (const connection of this.#connections) connection.close()
  }

  async #ask(connection: HttpConnection, paths: readonly string[]): Promise<void> {
    while (this.#goesOn) {
      const path = paths[Math.floor(Math.random() * paths.length)]
      const startedAt = performance.now()
      await connection.send(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`, 307)
      this.latencies.push(performance.now() - startedAt)
    }
  }
}
