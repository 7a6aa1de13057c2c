import { REFRESH_COOKIE, SESSION_COOKIE } from '@foyer/protocol/token-names'
import type { Tokens } from '@foyer/sdk/rest'
import type { Page } from 'playwright-core'

/** Storage key under which the web client keeps the access token. */
const STORAGE_KEY = 'foyer.session'

/** Stores tokens in the page's browser as a login would. The page must be on the server's origin. */
export async function keepLogin(page: Page, tokens: Tokens): Promise<void> {
  const { refresh_token = '', session_token = '', ...readable } = tokens
  const { origin } = new URL(page.url())
  await page.context().addCookies([
    { name: SESSION_COOKIE, value: session_token, url: origin, httpOnly: true, sameSite: 'Lax' },
    {
      name: REFRESH_COOKIE,
      value: refresh_token,
      url: `${origin}/api/auth/`,
      httpOnly: true,
      sameSite: 'Strict',
    },
  ])
  await keepInStorage(page, readable)
}

/** Stores all tokens where scripts can read them, as older versions of the client did. */
export function keepInStorage(page: Page, tokens: Tokens): Promise<void> {
  return page.evaluate(([key, stored]) => localStorage.setItem(key, stored), [
    STORAGE_KEY,
    JSON.stringify(tokens),
  ] as const)
}

/** Returns the tokens that the page sends with its requests. */
export async function tokensOf(page: Page): Promise<{ accessToken: string; sessionToken: string }> {
  const stored = await page.evaluate((key) => localStorage.getItem(key), STORAGE_KEY)
  const { access_token: accessToken = '' }: Record<string, string> = JSON.parse(stored ?? '{}')
  const cookies = await page.context().cookies(page.url())
  const sessionToken = cookies.find(({ name }) => name === SESSION_COOKIE)?.value ?? ''
  return { accessToken, sessionToken }
}
