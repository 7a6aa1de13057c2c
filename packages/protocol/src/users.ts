import { type Static, Type } from 'typebox'
import { limits } from './limits.ts'
import { WebPresenceField } from './on-web.ts'
import { KeptImage, Nullable, RemovedImage, Text, Timestamp, Uuid } from './schema.ts'

/** Specification 2.1. No response schema contains an email address or a password. */
export const User = Type.Object(
  {
    id: Uuid(),
    username: Type.String(),
    alias: Nullable(Type.String({ description: 'display name override' })),
    avatar: Nullable(Uuid('avatar attachment')),
    banner: Nullable(Uuid('banner attachment')),
    custom: Type.String({ description: 'custom status text' }),
    flags: Type.Integer(),
    badges: Type.Integer(),
    is_bot: Type.Boolean(),
    email_verified: Type.Boolean(),
    created_at: Timestamp(),
    updated_at: Timestamp(),
    deleted_at: Nullable(Timestamp()),
  },
  { title: 'User' },
)
export type User = Static<typeof User>

/** Specification 2.2: the User with further fields that only the user may see. */
export const CurrentUser = Type.Object(
  {
    ...User.properties,
    birthdate: Nullable(Type.String({ format: 'date' })),
    phone: Nullable(Type.String({ description: 'E.164' })),
    custom_until: Nullable(Timestamp('the time at which the status text is cleared; null for no end')),
    web_presence: WebPresenceField(),
  },
  { title: 'CurrentUser' },
)
export type CurrentUser = Static<typeof CurrentUser>

/** A space that two users are both in. */
export const MutualSpace = Type.Object({
  id: Uuid(),
  nickname: Nullable(Type.String({ description: 'nickname of the other user there' })),
})
export type MutualSpace = Static<typeof MutualSpace>

/** Friends and spaces that the caller and another user share. */
export const Mutual = Type.Object(
  { spaces: Type.Array(MutualSpace), friends: Type.Array(User) },
  { title: 'Mutual' },
)
export type Mutual = Static<typeof Mutual>

export const Username = () =>
  Type.String({
    pattern: `^[a-z0-9_.]{${limits.usernameMin},${limits.usernameMax}}$`,
    description: `${limits.usernameMin} to ${limits.usernameMax} characters of a-z, 0-9, _ and .`,
  })
export const Birthdate = () => Type.String({ format: 'date', description: 'YYYY-MM-DD' })
export const Password = () =>
  Type.String({ minLength: limits.passwordMin, maxLength: limits.passwordMax, description: 'not trimmed' })

const userTexts = {
  username: Type.Optional(Username()),
  alias: Type.Optional(Nullable(Text(1, limits.aliasMax))),
  custom: Type.Optional(Nullable(Text(0, limits.customStatusMax))),
  custom_until: Type.Optional(
    Nullable(Timestamp('the time at which the status text is cleared; a new text without it has no end')),
  ),
  birthdate: Type.Optional(Nullable(Birthdate())),
  web_presence: Type.Optional(WebPresenceField()),
  phone: Type.Optional(Nullable(Type.String({ pattern: '^\\+[1-9][0-9]{6,14}$', description: 'E.164' }))),
}

export const UpdateCurrentUserBody = Type.Object({ ...userTexts, avatar: KeptImage(), banner: KeptImage() })
export type UpdateCurrentUserBody = Static<typeof UpdateCurrentUserBody>

/** The text fields of the multipart body, where an empty text means null. Its files are `avatar` and `banner`. */
export const UpdateCurrentUserForm = Type.Object({
  ...userTexts,
  remove_avatar: RemovedImage(),
  remove_banner: RemovedImage(),
})
export type UpdateCurrentUserForm = Static<typeof UpdateCurrentUserForm>

/** A password to compare. It has no minimum length, so that every wrong password gets the same error. */
export const GivenPassword = () => Type.String({ maxLength: limits.passwordMax })
/** A code of a second factor to compare, with or without spaces. */
export const GivenCode = (description?: string) =>
  Type.String({ maxLength: 32, ...(description === undefined ? {} : { description }) })

/** Fields that prove the presence of an account's owner: the password or a fresh proof, and a code. */
export const ownerProof = () => ({
  password: Type.Optional(GivenPassword()),
  code: Type.Optional(GivenCode('needed by accounts with an authenticator app')),
  proof: Type.Optional(
    Type.String({
      maxLength: 128,
      description: 'a fresh proof by a provider or a passkey, instead of the password',
    }),
  ),
})

export const DeleteCurrentUserBody = Type.Object(ownerProof())
export type DeleteCurrentUserBody = Static<typeof DeleteCurrentUserBody>

export const UserParams = Type.Object({ userId: Uuid() })
