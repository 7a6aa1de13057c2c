/** Maximum length of the path to open after signing in. Longer paths are left out, and the user starts at the first page. */
const MAX_NEXT_LENGTH = 512

/** Returns the address that redirects the browser to a sign-in provider. */
export function startAddress(provider: string, next: string): string {
  const query = next.length <= MAX_NEXT_LENGTH ? `?${new URLSearchParams({ next })}` : ''
  return `/api/auth/oidc/${provider}/start${query}`
}

/** Returns the invite code in a path like `/invite/abc`. The server may require one for new accounts. */
export function inviteIn(next: string): string | undefined {
  const code = /^\/(?:invite|sign-up)\/([^/?#]+)/.exec(next)?.[1]
  return code === undefined ? undefined : decodeURIComponent(code)
}
