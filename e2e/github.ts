import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'

/** Posts a push event to a webhook, as GitHub does. */
export async function push(url: string): Promise<void> {
  assert.equal(await deliverPush(url), 204)
}

/**
 * Posts a push event with a signature, as GitHub does if a secret is set.
 * @returns the status of the response
 */
export function pushSigned(url: string, secret: string): Promise<number> {
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  return deliverPush(url, { 'x-hub-signature-256': `sha256=${signature}` })
}

/** @returns the status of the response */
export async function deliverPush(url: string, headers: Record<string, string> = {}): Promise<number> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-github-event': 'push', ...headers },
    body,
  })
  await answer.body?.cancel()
  return answer.status
}

const payload = {
  ref: 'refs/heads/main',
  compare: 'https://git.example/hikers/site/compare/1...2',
  repository: { full_name: 'hikers/site', html_url: 'https://git.example/hikers/site' },
  sender: { login: 'lena', html_url: 'https://git.example/lena', avatar_url: '' },
  commits: [
    {
      id: 'a3f1c2d4e5f60718293a4b5c6d7e8f9012345678',
      message: 'Mend the gate',
      url: 'https://git.example/hikers/site/commit/a3f1c2d',
      author: { name: 'Lena' },
    },
  ],
}

const body = JSON.stringify(payload)
