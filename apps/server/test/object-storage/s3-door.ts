import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type RunningS3, startRadosgw } from './radosgw.ts'

export interface S3Door {
  url: string
  close(): Promise<void>
}

/**
 * Opens an HTTP endpoint that starts the run's only S3 server on its first request. Most runs of a single test file never
 * need an S3 server.
 */
export async function openS3Door(): Promise<S3Door> {
  let started: Promise<RunningS3> | undefined
  const door = createServer((_request, response) => {
    started ??= startRadosgw()
    answer(response, started)
  })
  door.listen(0, '127.0.0.1').unref()
  await once(door, 'listening')
  const address = door.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      door.close()
      await started?.then((s3) => s3.stop()).catch(() => undefined)
    },
  }
}

function answer(response: ServerResponse, started: Promise<RunningS3>): void {
  response.setHeader('connection', 'close')
  started.then(
    ({ stop, ...s3 }) => response.end(JSON.stringify(s3)),
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
}
