import { SESSION_HEADER } from '@foyer/protocol/auth'
import type { Person } from './person.ts'

/** Sends a request outside of the page with the tokens of who is signed in there. Redirects are answers. */
export async function requestAs(
  person: Person,
  path: string,
  { method = 'GET', body }: { method?: string; body?: unknown } = {},
): Promise<Response> {
  const stored = await person.page.evaluate(() => localStorage.getItem('foyer.session'))
  const { access_token, session_token }: Record<string, string> = JSON.parse(stored ?? '{}')
  return fetch(new URL(path, person.page.url()), {
    method,
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${access_token}`,
      [SESSION_HEADER]: session_token ?? '',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  })
}
