/** What the server calls itself to strangers. Many sites show what is behind a link only to who begins like this. */
const USER_AGENT = 'Mozilla/5.0 (compatible; Foyer)'

/** How strangers are asked: for the bytes as they are, by whom they know. */
export function askingFor(accept: string): Record<string, string> {
  return { accept, 'accept-encoding': 'identity', 'user-agent': USER_AGENT }
}
