import type { FastifyRequest } from 'fastify'

/** Returns the origin of the web client: the public URL, or else the origin of the request. */
export function pageOrigin(
  { headers, protocol, host }: FastifyRequest,
  { publicUrl }: { publicUrl: string | undefined },
): string {
  const given = publicUrl ?? headers.origin
  const url = given === undefined ? null : URL.parse(given)
  return url === null || url.origin === 'null' ? `${protocol}://${host}` : url.origin
}
