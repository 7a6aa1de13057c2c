import { type Static, Type } from 'typebox'
import { limits } from './limits.ts'
import { Nullable, Text, Timestamp, Uuid } from './schema.ts'

/** Bytes in base64url. The schemas below have the structure and field names of WebAuthn in browsers. */
const Bytes = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$' })

/** Up to 1023 bytes, as in WebAuthn. */
const CredentialId = () => Bytes(1364)
const ClientData = () => Bytes(8192)
const AuthenticatorData = () => Bytes(65_536)
const Transports = () => Type.Array(Type.String({ maxLength: 32 }), { maxItems: 16 })
const PublicKey = () => Type.Literal('public-key')

export const Passkey = Type.Object(
  {
    id: Uuid(),
    name: Type.String(),
    is_backed_up: Type.Boolean({
      description: "kept by the person's password manager, not only on a device",
    }),
    created_at: Timestamp(),
    last_used_at: Nullable(Timestamp('null for one that has not logged in yet')),
  },
  { title: 'Passkey' },
)
export type Passkey = Static<typeof Passkey>

const Descriptor = Type.Object({
  id: Type.String(),
  type: PublicKey(),
  transports: Type.Array(Type.String()),
})

export const PasskeyCreationOptions = Type.Object(
  {
    challenge: Type.String(),
    rp: Type.Object({ id: Type.String(), name: Type.String() }),
    user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
    pubKeyCredParams: Type.Array(Type.Object({ type: PublicKey(), alg: Type.Integer() })),
    timeout: Type.Integer({ description: 'milliseconds' }),
    excludeCredentials: Type.Array(Descriptor),
    authenticatorSelection: Type.Object({
      residentKey: Type.Literal('required'),
      requireResidentKey: Type.Boolean(),
      userVerification: Type.Literal('required'),
    }),
    attestation: Type.Literal('none'),
  },
  {
    title: 'PasskeyCreationOptions',
    description: 'for PublicKeyCredential.parseCreationOptionsFromJSON() of a browser',
  },
)
export type PasskeyCreationOptions = Static<typeof PasskeyCreationOptions>

export const PasskeyRequestOptions = Type.Object(
  {
    challenge: Type.String(),
    rpId: Type.String(),
    timeout: Type.Integer({ description: 'milliseconds' }),
    userVerification: Type.Literal('required'),
  },
  {
    title: 'PasskeyRequestOptions',
    description: 'for PublicKeyCredential.parseRequestOptionsFromJSON() of a browser',
  },
)
export type PasskeyRequestOptions = Static<typeof PasskeyRequestOptions>

const PasskeyName = () => Text(1, limits.nameMax)

export const AddPasskeyBody = Type.Object({
  name: PasskeyName(),
  credential: Type.Object(
    {
      id: CredentialId(),
      rawId: CredentialId(),
      type: PublicKey(),
      response: Type.Object({
        clientDataJSON: ClientData(),
        attestationObject: AuthenticatorData(),
        transports: Type.Optional(Transports()),
      }),
    },
    { description: 'result of toJSON() of the new credential' },
  ),
})
export type AddPasskeyBody = Static<typeof AddPasskeyBody>

export const PasskeyLoginBody = Type.Object({
  credential: Type.Object(
    {
      id: CredentialId(),
      rawId: CredentialId(),
      type: PublicKey(),
      response: Type.Object({
        clientDataJSON: ClientData(),
        authenticatorData: AuthenticatorData(),
        signature: Bytes(8192),
        userHandle: Type.Optional(Nullable(Bytes(128))),
      }),
    },
    { description: 'result of toJSON() of the credential' },
  ),
})
export type PasskeyLoginBody = Static<typeof PasskeyLoginBody>

export const UpdatePasskeyBody = Type.Object({ name: PasskeyName() })
export type UpdatePasskeyBody = Static<typeof UpdatePasskeyBody>

export const PasskeyParams = Type.Object({ passkeyId: Uuid() })
