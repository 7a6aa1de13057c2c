import { ApiError } from '#src/kernel/errors.ts'
import { isServerPath } from '#src/kernel/http/server-paths.ts'

const BASE = 'http://foyer.invalid'

/**
 * Returns the path of the web client to open after a login.
 * @throws ApiError 400 for a path to another site, in any spelling
 */
export function ownPath(next = '/'): string {
  const url = next.startsWith('/') ? URL.parse(next, BASE) : null
  const path = url === null ? '' : `${url.pathname}${url.search}${url.hash}`
  // Checks again after the parser has resolved dots, because `/.//evil` becomes `//evil`.
  const isOwn = url?.origin === BASE && !/^\/[/\\]/.test(path) && !isServerPath(url.pathname)
  if (!isOwn) throw new ApiError('invalid_request', 'next must be a path of the web client')
  return path
}
