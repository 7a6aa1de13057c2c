/** What the worker may answer instead of the network. */
export type Answered = 'page' | 'file' | null

type Asked = Pick<Request, 'method' | 'mode' | 'url'>

/**
 * What a request is for: the page, a file of the build, or nothing of the worker's. What people say and send is below /api,
 * /attachments, /storage and /gateway, and never passes through here: it must not stay behind in a cache.
 * @param origin of the worker
 * @param isKept whether a path is one of the build's files
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

/** As the server has it, which answers these itself. */
function isServers(path: string): boolean {
  return /^\/(api|attachments|gateway|metrics|storage)(\/|$)/.test(path)
}
