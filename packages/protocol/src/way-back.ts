import { type Static, Type } from 'typebox'
import { Timestamp } from './schema.ts'
import { Password } from './users.ts'

/**
 * Changes of an account that are mailed to its owner with a link to undo them. `signed_in` is a login with a new
 * device.
 */
export const accountChanges = [
  'password_changed',
  'password_reset',
  'email_changed',
  'second_factor_on',
  'second_factor_replaced',
  'second_factor_off',
  'recovery_codes_renewed',
  'passkey_added',
  'signed_in',
] as const
export type AccountChange = (typeof accountChanges)[number]

const Token = () => Type.String({ minLength: 1, maxLength: 512, description: 'of the link in the mail' })

export const WayBackBody = Type.Object({ token: Token() })
export type WayBackBody = Static<typeof WayBackBody>

export const TakeBackBody = Type.Object({ token: Token(), password: Password() })
export type TakeBackBody = Static<typeof TakeBackBody>

export const WayBack = Type.Object(
  {
    username: Type.String(),
    changes: Type.Array(
      Type.Object({
        change: Type.Enum([...accountChanges]),
        device: Type.String({ description: 'its User-Agent' }),
        address: Type.String(),
        created_at: Timestamp(),
      }),
      { description: 'changes that the link undoes, oldest first; the first is the one in the mail' },
    ),
    expires_at: Timestamp(),
  },
  { title: 'WayBack' },
)
export type WayBack = Static<typeof WayBack>
