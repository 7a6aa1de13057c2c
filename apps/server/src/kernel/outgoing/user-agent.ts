/** The server's name for other sites. Many serve previews only to user agents that begin like this. */
const USER_AGENT = 'Mozilla/5.0 (compatible; Foyer)'

/** Headers for requests to other sites: unencoded bytes, and our user agent. */
export function askingFor(accept: string): Record<string, string> {
  return { accept, 'accept-encoding': 'identity', 'user-agent': USER_AGENT }
}
