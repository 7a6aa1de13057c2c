import { buffer } from 'node:stream/consumers'
import type { CustomFetch } from 'openid-client'
import type { Outgoing } from '../outgoing/outgoing.ts'
import { OutgoingError } from '../outgoing/outgoing-error.ts'
import type { ProviderSettings } from './settings.ts'

/** Time limit for a provider's answer, because a person waits for it. */
const TIMEOUT_MS = 10_000
/** Maximum bytes of an answer, far above any list of keys or claims. */
const MAX_ANSWER_BYTES = 1024 * 1024

export interface IssuerDoors {
  /** For the issuer itself, whose address the operator has set. */
  trusted: Pick<Outgoing, 'send'>
  /** For other hosts that the issuer's metadata names. */
  outgoing: Pick<Outgoing, 'send'>
}

/**
 * Returns the library's function for requests to a provider. A provider cannot direct the server to other hosts of its
 * network, and redirects are not followed.
 */
export function issuerFetch(
  doors: IssuerDoors,
  { issuer, allowInsecure }: Pick<ProviderSettings, 'issuer' | 'allowInsecure'>,
): CustomFetch {
  const { origin } = new URL(issuer)
  return async (address, { method, headers, body }) => {
    const url = new URL(address)
    const isIssuer = url.origin === origin
    if (url.protocol !== 'https:' && !(allowInsecure && isIssuer))
      throw new OutgoingError('blocked', url.hostname)
    const answer = await (isIssuer ? doors.trusted : doors.outgoing).send({
      ...{ method, url, headers: { ...headers } },
      ...(body === undefined || body === null ? {} : { body: bytesOf(body) }),
      ...{ timeoutMs: TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES, signal: AbortSignal.timeout(TIMEOUT_MS) },
    })
    const bytes = await buffer(answer.body)
    return new Response(bytes.length === 0 ? null : new Uint8Array(bytes), {
      status: answer.status,
      headers: withoutEncoding(answer.headers),
    })
  }
}

/** Returns the bytes of a body. The library only sends forms. */
function bytesOf(body: unknown): Buffer {
  if (body instanceof URLSearchParams || typeof body === 'string') return Buffer.from(String(body))
  if (body instanceof Uint8Array) return Buffer.from(body)
  throw new TypeError('a body of this kind is never sent to a provider')
}

/** Removes `content-length`, which counts the encoded bytes. */
function withoutEncoding({
  'content-length': _length,
  ...headers
}: Record<string, string>): Record<string, string> {
  return headers
}
