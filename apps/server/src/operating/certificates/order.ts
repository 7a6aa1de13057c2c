import { setTimeout as delay } from 'node:timers/promises'
import type { Authorization, Client, Order } from 'acme-client'
import type { Database } from '#src/kernel/database/database.ts'
import { type CheckedPair, checkPair } from '#src/kernel/tls/pair.ts'
import { createAcmeClient, makeKey, makeRequest } from './acme.ts'
import { type ChallengeKind, deleteChallenge, insertChallenge } from './queries.ts'

export interface OrderOptions {
  database: Database
  host: string
  directory: string
  email: string | undefined
  accountKey: string
  /** The ways to prove the host, in the order in which they are tried. */
  kinds: readonly ChallengeKind[]
  signal: AbortSignal
}

/** Challenges are swept after this time; an ACME server asks within seconds. */
const CHALLENGE_SECONDS = 15 * 60
const FIRST_POLL_MS = 100
const MAX_POLL_MS = 5000

/** The ACME server did not accept one way to prove the host. Another way may succeed. */
class UnprovenHost extends Error {}

/**
 * Gets a certificate from an ACME server (RFC 8555). If one way to prove the host fails, the next is tried.
 * @throws Error with the words of the server
 */
export async function orderCertificate(options: OrderOptions): Promise<CheckedPair> {
  const { directory, accountKey, email } = options
  const client = createAcmeClient(directory, accountKey)
  await openAccount(client, email)
  const order = await proveHost(client, options)
  const key = await makeKey()
  const finalized = await client.finalizeOrder(order, await makeRequest(options.host, key))
  const issued = await settle(finalized, options.signal, (known) => client.getOrder(known))
  if (issued.status !== 'valid') throw new Error(`the order is ${issued.status}: ${detailOf(issued)}`)
  return checkPair({ chain: await client.getCertificate(issued), key })
}

/** Uses the account that the server has for the key, or creates it. */
async function openAccount(client: Client, email: string | undefined): Promise<void> {
  const terms = { termsOfServiceAgreed: true }
  if (email !== undefined) {
    await client.createAccount({ ...terms, contact: [`mailto:${email}`] })
    return
  }
  // The client updates an account that exists, and a server may refuse an update without a contact as empty.
  const isThere = await client.createAccount({ onlyReturnExisting: true }).then(
    () => true,
    () => false,
  )
  if (!isThere) await client.createAccount(terms)
}

async function proveHost(client: Client, options: OrderOptions): Promise<Order> {
  const failures: string[] = []
  for (const kind of options.kinds) {
    const order = await orderBy(client, kind, options).catch(unprovenOrThrow)
    if (!(order instanceof UnprovenHost)) return order
    failures.push(order.message)
  }
  throw new Error(failures.join('; '))
}

function unprovenOrThrow(error: unknown): UnprovenHost {
  if (error instanceof UnprovenHost) return error
  throw error
}

/** Opens an order, and proves the host by one kind of challenge. */
async function orderBy(client: Client, kind: ChallengeKind, options: OrderOptions): Promise<Order> {
  const order = await client.createOrder({ identifiers: [{ type: 'dns', value: options.host }] })
  for (const authorization of await client.getAuthorizations(order)) {
    // The ACME server may remember an earlier proof.
    if (authorization.status !== 'valid') await prove(client, { order, authorization, kind }, options)
  }
  return settle(order, options.signal, (known) => client.getOrder(known))
}

interface Proof {
  order: Order
  authorization: Authorization
  kind: ChallengeKind
}

async function prove(
  client: Client,
  { order, authorization, kind }: Proof,
  { database, host, signal }: OrderOptions,
): Promise<void> {
  const challenge = authorization.challenges.find(({ type }) => String(type) === kind)
  if (challenge === undefined) throw new UnprovenHost(`${kind}: the server does not offer it`)
  const { token } = challenge
  const text = await client.getChallengeKeyAuthorization(challenge)
  await insertChallenge(database, { token, host, kind, key_authorization: text }, CHALLENGE_SECONDS)
  try {
    await client.completeChallenge(challenge)
    const read = async () => {
      const all = await client.getAuthorizations(order)
      return all.find(({ url }) => url === authorization.url) ?? authorization
    }
    const seen = await settle(authorization, signal, read)
    if (seen.status === 'valid') return
    const failed = seen.challenges.find(({ type }) => String(type) === kind)
    throw new UnprovenHost(`${kind}: ${detailOf(failed ?? {})}`)
  } finally {
    await deleteChallenge(database, token)
  }
}

/** Polls until the server has decided. */
async function settle<T extends { status: string }>(
  first: T,
  signal: AbortSignal,
  read: (known: T) => Promise<T>,
): Promise<T> {
  let known = first
  let waitMs = FIRST_POLL_MS
  while (known.status === 'pending' || known.status === 'processing') {
    await delay(waitMs, undefined, { signal })
    waitMs = Math.min(2 * waitMs, MAX_POLL_MS)
    known = await read(known)
  }
  return known
}

/** Returns the ACME server's explanation of the failure. */
function detailOf({ error }: { error?: object }): string {
  const detail: unknown = error === undefined ? undefined : Reflect.get(error, 'detail')
  return typeof detail === 'string' ? detail : 'the server gives no reason'
}
