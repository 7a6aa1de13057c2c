import { type Static, Type } from 'typebox'
import { SignInProvider } from './oidc.ts'
import { PasskeyLoginBody } from './passkeys.ts'
import { Timestamp } from './schema.ts'

/** The available ways for an account's owner to prove their presence. */
export const WaysToProve = Type.Object(
  {
    password: Type.Boolean({ description: 'whether the account has a password' }),
    code: Type.Boolean({
      description: 'whether a code of the authenticator app is needed, except with a passkey',
    }),
    passkey: Type.Boolean({ description: 'whether a passkey replaces the password' }),
    providers: Type.Array(SignInProvider, {
      description: 'providers where signing in again replaces the password',
    }),
  },
  { title: 'WaysToProve' },
)
export type WaysToProve = Static<typeof WaysToProve>

/** A proof, which can be used once, within a few minutes, by this session. */
export const OwnerProof = Type.Object(
  { proof: Type.String({ description: 'to be sent as `proof`' }), expires_at: Timestamp() },
  { title: 'OwnerProof' },
)
export type OwnerProof = Static<typeof OwnerProof>

export const StartedProof = Type.Object(
  {
    proof: Type.String({ description: 'to be sent as `proof`, once the provider has confirmed it' }),
    url: Type.String({ description: 'page of the provider to open in this browser, in a window of its own' }),
  },
  { title: 'StartedProof' },
)
export type StartedProof = Static<typeof StartedProof>

export const ProveByPasskeyBody = PasskeyLoginBody
export type ProveByPasskeyBody = Static<typeof ProveByPasskeyBody>
