import { SESSION_HEADER } from '@foyer/protocol/token-names'
import type { Person } from './person.ts'
import { tokensOf } from './signed-in.ts'

/** Sends a request from outside the page, with the tokens of its user. Does not follow redirects. */
export async function requestAs(
  person: Person,
  path: string,
  { method = 'GET', body }: { method?: string; body?: unknown } = {},
): Promise<Response> {
  const { accessToken, sessionToken } = await tokensOf(person.page)
  return fetch(new URL(path, person.page.url()), {
    method,
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${accessToken}`,
      [SESSION_HEADER]: sessionToken,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  })
}
