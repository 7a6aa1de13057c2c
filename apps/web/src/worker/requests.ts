/** The worker answers with the page or with a file of the build; null leaves the request to the network. */
export type Answered = 'page' | 'file' | null

type Asked = Pick<Request, 'method' | 'mode' | 'url'>

/**
 * Classifies a request: the page, a file of the build, or neither. User content is below /api, /attachments, /storage and
 * /gateway. It must never pass through the worker and stay in a cache.
 * @param origin origin of the worker
 * @param isKept returns true for the path of a file of the build
 */
export function answeredBy(
  { method, mode, url }: Asked,
  origin: string,
  isKept: (path: string) => boolean,
): Answered {
  const { pathname, origin: asked } = new URL(url)
  if (method !== 'GET' || asked !== origin || isServers(pathname)) return null
  if (pathname.startsWith('/assets/') || (pathname !== '/' && isKept(pathname))) return 'file'
  const name = pathname.slice(pathname.lastIndexOf('/') + 1)
  const isPage = mode === 'navigate' && !/\../.test(name)
  return isPage ? 'page' : null
}

/** Paths the server answers itself. Must match the server's own list. */
function isServers(path: string): boolean {
  return /^\/(api|attachments|gateway|metrics|storage)(\/|$)/.test(path)
}
