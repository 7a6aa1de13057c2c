const PUNCTUATION = '.,;:!?…*_~|'
const ADDRESS = /:\/\/[^\s<>"'`]+/y

/** The beginning of an address, which alone decides whether it is one. */
const AUTHORITY = /:\/\/[/\\]*[^\s<>"'`/?#\\]+/y

/** The rest of an http(s) address that goes on at `position`, where its colon is; undefined for none. */
export function addressAt(text: string, position: number, scheme: string): string | undefined {
  AUTHORITY.lastIndex = position
  const [start] = AUTHORITY.exec(text) ?? []
  // Before the rest is read: a text of thousands of `http://[` would be read to its end for each of them.
  if (start === undefined || !isAddress(withoutTrailing(scheme + start))) return undefined
  ADDRESS.lastIndex = position
  const [rest] = ADDRESS.exec(text) ?? []
  if (rest === undefined) return undefined
  const url = withoutTrailing(scheme + rest)
  return isAddress(url) ? url.slice(scheme.length) : undefined
}

/** What a message may link to. */
export function isLinkable(url: string): boolean {
  return /^mailto:/i.test(url) || isAddress(url)
}

/** The host that an address leads to, as it is read. */
export function hostOf(href: string): string {
  if (!URL.canParse(href)) return href
  const { protocol, host, pathname } = new URL(href)
  return protocol === 'mailto:' ? pathname : host
}

/** Begins where a run of labels does: tried from each letter of one, it would take quadratic time. */
const HOST = /(?<![\p{L}\p{N}-]|[\p{L}\p{N}-]\.)(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}/iu

/** Whether a text looks as if it was an address itself, of another host than the one that it leads to. */
export function isMisleading(text: string, href: string): boolean {
  const [shown] = HOST.exec(text) ?? []
  return shown !== undefined && shown.toLowerCase() !== hostOf(href).replace(/:\d+$/, '')
}

/** A sentence's punctuation behind an address is not of it, nor are marks around it, nor a bracket that was opened before. */
function withoutTrailing(url: string): string {
  // Counted once: to count again for each of 4,000 brackets takes a tenth of a second.
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
