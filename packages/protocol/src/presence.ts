import { type Static, Type } from 'typebox'
import { limits } from './limits.ts'
import { Nullable, Text, Timestamp, Uuid } from './schema.ts'

/** Statuses that a user can choose. */
export const chosenStatuses = ['online', 'idle', 'dnd', 'invisible'] as const
export type ChosenStatus = (typeof chosenStatuses)[number]

/** Statuses visible to others, and `invisible`, which only the user's own connections see. */
export const presenceStatuses = [...chosenStatuses, 'offline'] as const
export type PresenceStatus = (typeof presenceStatuses)[number]

/** The presence of a user, and their status text. */
export const Presence = Type.Object(
  {
    user_id: Uuid(),
    status: Type.Unsafe<PresenceStatus>({
      type: 'string',
      enum: presenceStatuses,
      description: '`invisible` appears as `offline` to everyone but the user',
    }),
    custom: Nullable(
      Type.String({ description: 'status text of this presence; null means the status text of the user' }),
    ),
  },
  { title: 'Presence' },
)
export type Presence = Static<typeof Presence>

const Chosen = () => Type.Unsafe<ChosenStatus>({ type: 'string', enum: chosenStatuses })

/** The status that a user chose for all of their devices, until its end or until they choose another one. */
export const UserStatus = Type.Object(
  {
    status: Chosen(),
    status_until: Nullable(Timestamp('the time at which the status is `online` again; null for no end')),
  },
  { title: 'UserStatus' },
)
export type UserStatus = Static<typeof UserStatus>

export const ChooseStatusBody = Type.Object({
  status: Chosen(),
  status_until: Type.Optional(Nullable(Timestamp())),
})
export type ChooseStatusBody = Static<typeof ChooseStatusBody>

export const UpdatePresence = Type.Object({
  status: Chosen(),
  custom: Type.Optional(Nullable(Text(0, limits.customStatusMax))),
})
export type UpdatePresence = Static<typeof UpdatePresence>
