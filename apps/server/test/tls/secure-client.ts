import { type IncomingHttpHeaders, request as requestPlainly } from 'node:http'
import { request as requestSecurely } from 'node:https'
import { text } from 'node:stream/consumers'
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** A server's HTTPS port, on the loopback address unless `address` is set. */
export interface SecurePlace {
  address?: string
  port: number
  /** Host name that the certificate must be valid for. */
  host: string
  /** Root certificate that the certificate must be signed by. */
  ca: string
}

const LOOPBACK = '127.0.0.1'

interface Asking {
  method?: string
  headers?: Record<string, string>
}

/** Sends a request by HTTPS, and verifies the certificate. */
export async function askSecurely(
  { address = LOOPBACK, port, host, ca }: SecurePlace,
  path: string,
  { method = 'GET', headers = {} }: Asking = {},
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const place = { host: address, port, servername: host, ca, path, method, agent: false as const }
  requestSecurely({ ...place, headers: { host, ...headers } }, (response) => {
    const { statusCode: status = 0, headers } = response
    text(response).then((body) => resolve({ status, headers, text: body }), reject)
  })
    .on('error', reject)
    .end()
  return promise
}

/** Sends a request by HTTP. */
export async function askPlainly(
  port: number,
  path: string,
  { method = 'GET', headers = {} }: Asking = {},
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  requestPlainly({ host: LOOPBACK, port, path, method, headers, agent: false }, (response) => {
    const { statusCode: status = 0, headers } = response
    text(response).then((body) => resolve({ status, headers, text: body }), reject)
  })
    .on('error', reject)
    .end()
  return promise
}

/** Opens a connection, and verifies the certificate. */
export async function openSecure(
  { address = LOOPBACK, port, host, ca }: SecurePlace,
  options: { minVersion?: 'TLSv1.3'; maxVersion?: 'TLSv1.1' | 'TLSv1.2' } = {},
): Promise<TLSSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const old =
    options.maxVersion === 'TLSv1.1' ? ({ minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const) : {}
  const socket = connect({ host: address, port, servername: host, ca, ...old, ...options }, resolve)
  socket.once('error', reject)
  await promise
  socket.off('error', reject)
  return socket
}

/** Returns the certificate that new connections get. */
export async function certificateOf(place: SecurePlace): Promise<PeerCertificate> {
  const socket = await openSecure(place)
  try {
    return socket.getPeerCertificate()
  } finally {
    socket.destroy()
  }
}
