const PUNCTUATION = '.,;:!?…*_~|'
const ADDRESS = /:\/\/[^\s<>"'`]+/y

/** The beginning of a URL up to its host, which decides if the URL is valid. */
const AUTHORITY = /:\/\/[/\\]*[^\s<>"'`/?#\\]+/y

/** Returns the rest of the http(s) URL whose colon is at `position`, or undefined if there is no URL. */
export function addressAt(text: string, position: number, scheme: string): string | undefined {
  AUTHORITY.lastIndex = position
  const [start] = AUTHORITY.exec(text) ?? []
  // Checked before the rest is matched: otherwise each of thousands of `http://[` would scan the text to its end.
  if (start === undefined || !isAddress(withoutTrailing(scheme + start))) return undefined
  ADDRESS.lastIndex = position
  const [rest] = ADDRESS.exec(text) ?? []
  if (rest === undefined) return undefined
  const url = withoutTrailing(scheme + rest)
  return isAddress(url) ? url.slice(scheme.length) : undefined
}

/** Returns true for http(s) and mailto URLs. */
export function isLinkable(url: string): boolean {
  return /^mailto:/i.test(url) || isAddress(url)
}

/** Returns the host of a URL for display. */
export function hostOf(href: string): string {
  if (!URL.canParse(href)) return href
  const { protocol, host, pathname } = new URL(href)
  return protocol === 'mailto:' ? pathname : host
}

/** A host name. The lookbehind anchors the match at its first label: trying every letter would take quadratic time. */
const HOST = /(?<![\p{L}\p{N}-]|[\p{L}\p{N}-]\.)(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}/iu

/** Returns true if the first host in a link's text differs from the host that the link leads to. */
export function isMisleading(text: string, href: string): boolean {
  const [shown] = HOST.exec(text) ?? []
  return shown !== undefined && shown.toLowerCase() !== hostOf(href).replace(/:\d+$/, '')
}

/** Removes trailing punctuation, marks, and closing brackets that were opened before the URL. */
function withoutTrailing(url: string): string {
  // Counted once: counting again for each bracket would take 100 ms for 4,000 brackets.
  let surplus = url.split(')').length - url.split('(').length
  let end = url.length
  while (end > 0) {
    const last = url.charAt(end - 1)
    const isClosing = last === ')' && surplus > 0
    if (!isClosing && !PUNCTUATION.includes(last)) break
    if (isClosing) surplus -= 1
    end -= 1
  }
  return url.slice(0, end)
}

function isAddress(url: string): boolean {
  return URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol)
}
