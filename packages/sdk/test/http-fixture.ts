import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

export interface Received {
  method: string
  path: string
  headers: IncomingMessage['headers']
  text: string
  /** The parsed JSON body. */
  body: Record<string, unknown>
}

export type Answer = (request: Received, response: ServerResponse) => void

/** Starts a server that sends scripted answers and records requests. It closes at the end of the test. */
export async function serve(t: TestContext, answer: Answer, port = 0) {
  const requests: Received[] = []
  const server = createServer(async (incoming, response) => {
    const request = await read(incoming)
    requests.push(request)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { server, requests, baseUrl: `http://127.0.0.1:${portOf(server.address())}` }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  return address.port
}

export function sendJson(response: ServerResponse, value: unknown): void {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(value))
}

export function sendError(response: ServerResponse, status: number, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify({ error: `error ${status}` }))
}

export function sendNothing(response: ServerResponse): void {
  response.writeHead(204)
  response.end()
}

/** Drops the connection after the request, without an answer. */
export function dropAnswer(response: ServerResponse): void {
  response.destroy()
}

async function read(incoming: IncomingMessage): Promise<Received> {
  let text = ''
  for await (const chunk of incoming) text += chunk
  const { method = '', url: path = '', headers } = incoming
  const isJson = headers['content-type'] === 'application/json'
  return { method, path, headers, text, body: isJson ? JSON.parse(text) : {} }
}
