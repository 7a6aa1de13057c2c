// Requests pages at a fixed rate, as many crawlers do: without waiting for earlier answers.
import { setTimeout as delay } from 'node:timers/promises'
import { HttpConnection } from '../load/http-connection.ts'

export interface Crawl {
  port: number
  pagesPerSecond: number
  requests: string[]
}

export interface Crawled {
  /** Pages that were received, and requests that the server refused because too many waited. */
  received: number
  refused: number
  seconds: number
}

process.once('message', async (crawl: Crawl) => {
  process.send?.(await request(crawl))
  process.disconnect?.()
})
process.send?.('ready')

async function request({ port, pagesPerSecond, requests }: Crawl): Promise<Crawled> {
  const free: HttpConnection[] = []
  const crawled = { received: 0, refused: 0 }
  const startedAt = performance.now()
  const asking = requests.map(async (request, index) => {
    await delay(Math.max(0, startedAt + (index * 1000) / pagesPerSecond - performance.now()))
    const connection = free.pop() ?? new HttpConnection(port)
    await connection.send(request).then(
      () => (crawled.received += 1),
      (error: Error) => {
        if (!error.message.startsWith('HTTP/1.1 503')) throw error
        crawled.refused += 1
      },
    )
    free.push(connection)
  })
  await Promise.all(asking)
  for (const connection of free) connection.close()
  return { ...crawled, seconds: (performance.now() - startedAt) / 1000 }
}
