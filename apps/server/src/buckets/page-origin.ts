import type { FastifyRequest } from 'fastify'

/** Of the page from which people upload: the web client's. Without a public URL, it is where the caller found it. */
export function pageOrigin(
  { headers, protocol, host }: FastifyRequest,
  { publicUrl }: { publicUrl: string | undefined },
): string {
  const given = publicUrl ?? headers.origin
  const url = given === undefined ? null : URL.parse(given)
  return url === null || url.origin === 'null' ? `${protocol}://${host}` : url.origin
}
