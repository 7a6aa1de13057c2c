/** Returns whether an If-None-Match names the ETag, by the weak comparison that RFC 9110, 13.1.2, asks for. */
export function isKnownTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  const tags = header.split(',').map((tag) => opaque(tag.trim()))
  return tags.includes('*') || tags.includes(opaque(etag))
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, '')
}
