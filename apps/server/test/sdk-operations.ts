import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client } from '@foyer/sdk/client'

/** A request that a method of the SDK makes. */
export interface SdkOperation {
  /** Name of the method, like `messages.create`. */
  name: string
  method: string
  path: string
}

/** An argument that SDK methods accept both as an id and as a body. No method needs a field other than `image`. */
class Argument {
  readonly image = new Blob()
  readonly #id: string

  constructor(id: string) {
    this.#id = id
  }

  toString(): string {
    return this.#id
  }
}

/** Arguments after the first one: enough for the method with the most parameters. */
const FURTHER = ['x1', 'x2', 'x3'].map((id) => new Argument(id))
const ARGUMENTS = ['x0', ...FURTHER]
const IN_CONVERSATION = [{ conversation: 'x0' }, ...FURTHER]
/** Arguments of methods that take a webhook, an interaction, or a message with its channel. */
const WITH_TOKEN = [{ id: 'x0', token: 'x1', channel: 'x0' }, ...FURTHER]
const MESSAGE_IN_CONVERSATION = [{ id: 'x1', channel: { conversation: 'x0' } }, ...FURTHER]

/** Calls every method of the SDK, for rooms and for conversations, and returns the requests they make. */
export async function sdkOperations(): Promise<SdkOperation[]> {
  const asked: { method: string; path: string }[] = []
  const server = createServer((request, response) => {
    asked.push({ method: request.method ?? '', path: request.url?.split('?')[0] ?? '' })
    response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address: AddressInfo | string | null = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const client = new Client({ baseUrl: `http://127.0.0.1:${port}`, botToken: 'x' })
  const operations: SdkOperation[] = []
  for (const { name, call } of methodsOf(client)) {
    for (const given of [ARGUMENTS, IN_CONVERSATION, WITH_TOKEN, MESSAGE_IN_CONVERSATION]) {
      await call(given).catch(() => undefined)
      operations.push(...asked.splice(0).map((each) => ({ name, ...each })))
    }
  }
  server.close()
  return operations.filter(({ path }) => !/object|undefined|\/\//.test(`${path}/`))
}

interface Method {
  name: string
  call(given: readonly unknown[]): Promise<unknown>
}

function methodsOf(client: Client): Method[] {
  const { gateway: _, ...nouns } = client
  return Object.entries(nouns).flatMap(([noun, methods]) => {
    if (typeof methods !== 'object' || methods === null) return []
    const names = Object.getOwnPropertyNames(Object.getPrototypeOf(methods))
    return names.flatMap((name): Method[] => {
      const method: unknown = Reflect.get(methods, name)
      if (name === 'constructor' || typeof method !== 'function') return []
      return [{ name: `${noun}.${name}`, call: async (given) => Reflect.apply(method, methods, given) }]
    })
  })
}
