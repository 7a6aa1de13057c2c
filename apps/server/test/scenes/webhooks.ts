import type { Webhook } from '@foyer/protocol/webhooks'
import type { RunningServer } from '#src/start.ts'
import type { Answer } from './people.ts'

/** What is sent to a webhook: JSON unless it is a form of either kind. */
export interface Delivery {
  /** Behind the webhook's address. */
  path?: string
  headers?: Record<string, string>
}

/** Posts as whoever has the webhook's address, and no account. */
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

/** Calls the webhook's own address, or what is behind it. A body that is text or a form goes as it is. */
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
