import { AsyncLocalStorage } from 'node:async_hooks'
import acme, { type Authorization, type Client } from 'acme-client'
import type { CertificatePair } from '#src/kernel/tls/pair.ts'

// The only module that imports the ACME library, which most processes need once in two months.

/** Time limit of one request. */
const REQUEST_MS = 30_000

/** Aborts the requests of an order when the server stops. The library has no option for it. */
const orderSignal = new AsyncLocalStorage<AbortSignal>()

acme.axios.defaults.timeout = REQUEST_MS
// Removes the library's retries, which wait as long as the server asks, and finally lose network errors. Requests now
// fail immediately, and the next attempt is another order.
acme.axios.interceptors.request.clear()
acme.axios.interceptors.response.clear()
acme.axios.interceptors.request.use((request) => {
  const signal = orderSignal.getStore()
  if (signal !== undefined) request.signal = signal
  return request
})

/** Runs work whose requests end with the signal. */
export function untilAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return orderSignal.run(signal, work)
}

export function createAcmeClient(directoryUrl: string, accountKey: string): Client {
  return new acme.Client({ directoryUrl, accountKey })
}

/** Returns a new private key, PEM. */
export async function makeKey(): Promise<string> {
  return String(await acme.crypto.createPrivateEcdsaKey())
}

/** Returns a certificate signing request (CSR) for the host, PEM. */
export async function makeRequest(host: string, key: string): Promise<string> {
  // The name is not in the subject, where certificate authorities no longer want it.
  const [, request] = await acme.crypto.createCsr({ altNames: [host] }, key)
  return String(request)
}

/** Returns a certificate that proves the host by TLS (RFC 8737). */
export async function makeChallengeCertificate(
  host: string,
  keyAuthorization: string,
): Promise<CertificatePair> {
  const authorization: Authorization = {
    identifier: { type: 'dns', value: host },
    ...{ status: 'pending', challenges: [], url: '' },
  }
  const [key, chain] = await acme.crypto.createAlpnCertificate(
    authorization,
    keyAuthorization,
    await makeKey(),
  )
  return { chain: String(chain), key: String(key) }
}
