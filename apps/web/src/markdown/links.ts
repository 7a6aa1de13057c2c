const ADDRESS = /:\/\/[^\s<>"'`]+/y

/** The rest of an http(s) address that goes on at `position`, where its colon is; undefined for none. */
export function addressAt(text: string, position: number, scheme: string): string | undefined {
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

/** Whether a text looks as if it was an address itself, of another host than the one that it leads to. */
export function isMisleading(text: string, href: string): boolean {
  const shown = /(?:https?:\/\/)?((?:[\p{L}\p{N}-]+\.)+\p{L}{2,})/iu.exec(text)?.[1]
  return shown !== undefined && shown.toLowerCase() !== hostOf(href).replace(/:\d+$/, '')
}

/** A sentence's punctuation behind an address is not of it, nor are marks around it, nor a bracket that was opened before. */
function withoutTrailing(url: string): string {
  const trimmed = url.replace(/[.,;:!?…*_~|]+$/, '')
  const opened = trimmed.split('(').length
  const closed = trimmed.split(')').length
  return trimmed.endsWith(')') && closed > opened ? withoutTrailing(trimmed.slice(0, -1)) : trimmed
}

function isAddress(url: string): boolean {
  return URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol)
}
