import type { FastifyRequest } from 'fastify'

/** Returns the origin of the web client. Without a public URL it is the one that the caller used. */
export function pageOrigin(
  { headers, protocol, host }: FastifyRequest,
  { publicUrl }: { publicUrl: string | undefined },
): string {
  const given = publicUrl ?? headers.origin
  const url = given === undefined ? null : URL.parse(given)
  return url === null || url.origin === 'null' ? `${protocol}://${host}` : url.origin
}
