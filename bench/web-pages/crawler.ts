// Requests pages at a fixed rate, as crawlers do, until it has all of them.
import { setTimeout as delay } from 'node:timers/promises'
import { HttpConnection } from '../load/http-connection.ts'

const CONNECTIONS = 8

export interface Crawl {
  port: number
  pagesPerSecond: number
  requests: string[]
}

process.once('message', async (crawl: Crawl) => {
  await request(crawl)
  process.disconnect?.()
})
process.send?.('ready')

async function request({ port, pagesPerSecond, requests }: Crawl): Promise<void> {
  const connections = Array.from({ length: CONNECTIONS }, () => new HttpConnection(port))
  const startedAt = performance.now()
  const requestEvery = async (connection: HttpConnection, first: number) => {
    for (let index = first; index < requests.length; index += CONNECTIONS) {
      await delay(Math.max(0, startedAt + (index * 1000) / pagesPerSecond - performance.now()))
      await connection.send(requests[index] ?? '')
    }
    connection.close()
  }
  await Promise.all(connections.map(requestEvery))
}
