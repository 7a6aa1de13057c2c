import { type Static, Type } from 'typebox'
import { limits, MAX_REGISTRATION_TEXT_CHARACTERS } from './limits.ts'
import { PuzzleSolution } from './puzzle.ts'
import { Nullable, Text, Timestamp, Uuid } from './schema.ts'
import { Birthdate, CurrentUser, GivenCode, GivenPassword, ownerProof, Password, Username } from './users.ts'

/** An email address in any script (RFC 6531). */
const Email = () => Type.String({ trim: true, format: 'idn-email', maxLength: 254 })
const Token = (description?: string) =>
  Type.String({ minLength: 1, maxLength: 512, ...(description === undefined ? {} : { description }) })
const OptionalCode = () => Type.Optional(GivenCode('needed by accounts with a second factor'))

export const SigninBody = Type.Object({
  username: Username(),
  email: Email(),
  password: Password(),
  birthdate: Type.Optional(Nullable(Birthdate())),
  alias: Type.Optional(Nullable(Text(1, limits.aliasMax))),
  invite: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 512,
        description: 'code of an invite to a space or of an operator, for servers that ask for one',
      }),
    ),
  ),
  answer: Type.Optional(
    Nullable(
      Type.String({
        trim: true,
        maxLength: MAX_REGISTRATION_TEXT_CHARACTERS,
        description: "answer to the operators' question, for servers that approve accounts",
      }),
    ),
  ),
  puzzle: Type.Optional(Nullable(PuzzleSolution)),
})
export type SigninBody = Static<typeof SigninBody>

export const LoginBody = Type.Object({
  email: Type.String({ trim: true, minLength: 1, maxLength: 254, description: 'email address or username' }),
  password: GivenPassword(),
  code: OptionalCode(),
})
export type LoginBody = Static<typeof LoginBody>

/** All tokens of a login: the response to signin, login and refresh, unless the tokens are kept in cookies. */
export const LoginResult = Type.Object(
  {
    user: CurrentUser,
    access_token: Type.String(),
    refresh_token: Type.String(),
    session_token: Type.String(),
    expires_at: Timestamp(),
    session_expires_at: Timestamp(),
  },
  { title: 'LoginResult' },
)
export type LoginResult = Static<typeof LoginResult>

const inCookie = { description: 'omitted if X-Token-Storage asks for cookies' }

/** The response to signin, login and refresh. */
export const LoginAnswer = Type.Object(
  {
    ...LoginResult.properties,
    refresh_token: Type.Optional(Type.String(inCookie)),
    session_token: Type.Optional(Type.String(inCookie)),
  },
  { title: 'LoginResult' },
)
export type LoginAnswer = Static<typeof LoginAnswer>

export const RefreshBody = Type.Object({
  refresh_token: Type.Optional(
    Token('required unless X-Token-Storage asks for cookies: then it is in a cookie'),
  ),
  session_token: Type.Optional(Token()),
  session_id: Type.Optional(Uuid('the session whose refresh token is in a cookie')),
})
export type RefreshBody = Static<typeof RefreshBody>

export const TokenBody = Type.Object({ token: Token() })
export type TokenBody = Static<typeof TokenBody>

export const ForgotPasswordBody = Type.Object({ email: Email() })
export type ForgotPasswordBody = Static<typeof ForgotPasswordBody>

export const ResetPasswordBody = Type.Object({ token: Token(), password: Password() })
export type ResetPasswordBody = Static<typeof ResetPasswordBody>

export const ChangeEmailSendBody = Type.Object({
  email: Email(),
  ...ownerProof(),
})
export type ChangeEmailSendBody = Static<typeof ChangeEmailSendBody>

export const ChangePasswordBody = Type.Object({
  new_password: Password(),
  ...ownerProof(),
})
export type ChangePasswordBody = Static<typeof ChangePasswordBody>

export const OwnAddress = Type.Object(
  { masked: Type.String({ description: 'like m•••a@example.org: no answer contains the whole address' }) },
  { title: 'OwnAddress' },
)
export type OwnAddress = Static<typeof OwnAddress>

export const Session = Type.Object(
  {
    id: Uuid(),
    device: Type.String({ description: 'the User-Agent of the login' }),
    address: Type.String({ description: 'the address of the last use' }),
    current: Type.Boolean(),
    created_at: Timestamp(),
    last_used_at: Timestamp(),
    expires_at: Timestamp(),
  },
  { title: 'Session' },
)
export type Session = Static<typeof Session>

export const SessionParams = Type.Object({ sessionId: Uuid() })
