import { type Static, type TSchema, Type } from 'typebox'
import { Check } from 'typebox/value'
import type { Sealer } from '#src/kernel/secrets/sealing.ts'

/** Maximum seconds from the click to the provider's answer, and from the answer to the login or new account. */
export const FLOW_SECONDS = 10 * 60

const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** A login that a browser has begun at a provider. */
const Flow = Type.Object({
  provider: Type.String(),
  state: Type.String(),
  nonce: Type.String(),
  verifier: Type.String(),
  redirectUri: Type.String(),
  next: Type.String(),
  /** The session whose account the identity is linked to; null for a login. */
  link: Nullable(Type.Object({ userId: Type.String(), sessionId: Type.String() })),
  /** The session whose owner confirms an action, and the hash of the proof; null for a login. */
  proof: Nullable(Type.Object({ userId: Type.String(), sessionId: Type.String(), hash: Type.String() })),
  expiresAt: Type.Number(),
})
export type Flow = Static<typeof Flow>

/** Groups that the provider has named for the person. */
const NamedGroups = Type.Object({
  /** Keys of the groups that spaces name. */
  keys: Type.Array(Type.String()),
  /** False if the ticket has no room for all of them. */
  isWhole: Type.Boolean(),
  /** The linked account whose spaces were considered; null for all spaces. */
  ownerId: Nullable(Type.String()),
  /** Time of the answer, by the clock of the database. */
  at: Type.String(),
})
export type NamedGroups = Static<typeof NamedGroups>

/** An identity that a provider has confirmed to a browser. It can be used once. */
const Ticket = Type.Object({
  id: Type.String(),
  provider: Type.String(),
  subject: Type.String(),
  providerSession: Nullable(Type.String()),
  /** Username at the provider. */
  name: Nullable(Type.String()),
  /** Present only if the provider has verified it. */
  email: Nullable(Type.String()),
  /** Null if groups do not decide who is an operator. */
  isOperator: Nullable(Type.Boolean()),
  /** Null if no space names a group of the provider. */
  groups: Nullable(NamedGroups),
  next: Type.String(),
  expiresAt: Type.Number(),
})
export type Ticket = Static<typeof Ticket>

const schemas = { flow: Flow, ticket: Ticket }
type Kind = keyof typeof schemas

/** Encrypts a value for a cookie: the browser can neither read nor change it. */
export function seal<K extends Kind>(sealer: Sealer, kind: K, value: Static<(typeof schemas)[K]>): string {
  return sealer.seal(JSON.stringify(value), `oidc ${kind}`).toString('base64url')
}

export function openFlow(sealer: Sealer, sealed: string | undefined): Flow | undefined {
  const value = opened(sealer, 'flow', sealed)
  return Check(Flow, value) && value.expiresAt > Date.now() ? value : undefined
}

export function openTicket(sealer: Sealer, sealed: string | undefined): Ticket | undefined {
  const value = opened(sealer, 'ticket', sealed)
  return Check(Ticket, value) && value.expiresAt > Date.now() ? value : undefined
}

/** Returns undefined for a cookie that is missing, was changed, or is of another kind. */
function opened(sealer: Sealer, kind: Kind, sealed = ''): unknown {
  try {
    return JSON.parse(sealer.open(Buffer.from(sealed, 'base64url'), `oidc ${kind}`))
  } catch {
    return undefined
  }
}
