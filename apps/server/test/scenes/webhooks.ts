import type { Webhook } from '@foyer/protocol/webhooks'
import type { RunningServer } from '#src/start.ts'
import type { Answer } from './people.ts'

/** Options of a request to a webhook. */
export interface Delivery {
  /** Path to append to the address of the webhook. */
  path?: string
  headers?: Record<string, string>
}

/** Posts to a webhook without an account. Form data and text are sent as they are, other bodies as JSON. */
export async function deliver(
  server: RunningServer,
  webhook: Webhook,
  body: object | string,
  { path = '', headers = {} }: Delivery = {},
): Promise<Answer & { text: string }> {
  const isForm = body instanceof FormData || body instanceof URLSearchParams
  const response = await fetch(`${server.url}/api/webhooks/${webhook.id}/${webhook.token}${path}`, {
    method: 'POST',
    headers: isForm ? headers : { 'content-type': 'application/json', ...headers },
    body: isForm || typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true
  return {
    status: response.status,
    code: response.headers.get('x-error-code'),
    body: isJson ? JSON.parse(text) : undefined,
    text,
  }
}

/** Sends a request to the address of a webhook, or to a path below it. FormData and text are sent as they are, other bodies as JSON. */
export async function askByToken(
  server: RunningServer,
  { id, token }: Pick<Webhook, 'id' | 'token'>,
  { method, path = '', body }: { method: string; path?: string; body?: object | string | undefined },
): Promise<Answer> {
  const isForm = body instanceof FormData
  const response = await fetch(`${server.url}/api/webhooks/${id}/${token}${path}`, {
    method,
    headers: isForm || body === undefined ? {} : { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: isForm || typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    code: response.headers.get('x-error-code'),
    body: text === '' ? undefined : JSON.parse(text),
  }
}
