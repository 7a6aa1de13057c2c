import { type Static, Type } from 'typebox'
import { Nullable, Timestamp } from './schema.ts'
import { GivenCode, ownerProof } from './users.ts'

/** Header of the refusal `second_factor_required`: the kinds of codes that the account has, separated by commas. */
export const SECOND_FACTORS_HEADER = 'x-second-factors'

export const secondFactors = ['totp', 'recovery_code'] as const
export type SecondFactor = (typeof secondFactors)[number]

/** The users of a server who need a second factor. */
export const secondFactorRules = ['nobody', 'operators', 'everybody'] as const
export type SecondFactorRule = (typeof secondFactorRules)[number]

const Rule = () =>
  Type.Unsafe<SecondFactorRule>({
    type: 'string',
    enum: secondFactorRules,
    description: 'users who need a session with a second factor: none, operators for their work, or all',
  })

/** Rules of the server for logins. */
export const LoginRules = Type.Object({ second_factor_for: Rule() }, { title: 'LoginRules' })
export type LoginRules = Static<typeof LoginRules>

/** Omitted fields stay unchanged. */
export const UpdateLoginRulesBody = Type.Object({ second_factor_for: Type.Optional(Rule()) })
export type UpdateLoginRulesBody = Static<typeof UpdateLoginRulesBody>

/** Proof that the account's owner is present, and not only one of their devices. */
export const ProofBody = Type.Object(ownerProof())
export type ProofBody = Static<typeof ProofBody>

export const OwnSecondFactors = Type.Object(
  {
    totp_since: Nullable(Timestamp('null without an authenticator app')),
    recovery_codes: Type.Integer({ description: 'number of unused codes' }),
    is_needed: Type.Boolean({ description: 'whether the server asks this user for one' }),
    is_session_confirmed: Type.Boolean({
      description: 'whether this session was opened or confirmed with one',
    }),
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

export const ConfirmSessionBody = Type.Object({ code: GivenCode() })
export type ConfirmSessionBody = Static<typeof ConfirmSessionBody>

export const RecoveryCodes = Type.Object(
  { codes: Type.Array(Type.String(), { description: 'each works once; they are shown only now' }) },
  { title: 'RecoveryCodes' },
)
export type RecoveryCodes = Static<typeof RecoveryCodes>
