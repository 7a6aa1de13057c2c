import { type Static, Type } from 'typebox'
import { Nullable, Timestamp } from './schema.ts'
import { GivenCode, GivenPassword } from './users.ts'

/** Header of the refusal `second_factor_required`: the kinds of codes that the account has, separated by commas. */
export const SECOND_FACTORS_HEADER = 'x-second-factors'

export const secondFactors = ['totp', 'recovery_code'] as const
export type SecondFactor = (typeof secondFactors)[number]

/** Proof that the owner of the account is there, not only one of their devices. */
export const ProofBody = Type.Object({
  password: GivenPassword(),
  code: Type.Optional(GivenCode('needed by accounts with a second factor')),
})
export type ProofBody = Static<typeof ProofBody>

export const OwnSecondFactors = Type.Object(
  {
    totp_since: Nullable(Timestamp('null without an authenticator app')),
    recovery_codes: Type.Integer({ description: 'unused ones' }),
  },
  { title: 'OwnSecondFactors' },
)
export type OwnSecondFactors = Static<typeof OwnSecondFactors>

export const TotpSetup = Type.Object(
  {
    secret: Type.String({ description: 'in base 32, to be typed' }),
    uri: Type.String({ description: 'otpauth: for a QR code' }),
  },
  { title: 'TotpSetup' },
)
export type TotpSetup = Static<typeof TotpSetup>

export const ConfirmTotpBody = Type.Object({ code: GivenCode() })
export type ConfirmTotpBody = Static<typeof ConfirmTotpBody>

export const RecoveryCodes = Type.Object(
  { codes: Type.Array(Type.String(), { description: 'each works once; they are shown only now' }) },
  { title: 'RecoveryCodes' },
)
export type RecoveryCodes = Static<typeof RecoveryCodes>
