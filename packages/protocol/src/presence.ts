import { type Static, Type } from 'typebox'
import { limits } from './limits.ts'
import { Nullable, Text, Uuid } from './schema.ts'

/** What somebody may choose. */
export const chosenStatuses = ['online', 'idle', 'dnd', 'invisible'] as const
export type ChosenStatus = (typeof chosenStatuses)[number]

/** What others may see of it, and `invisible`, which only one's own connections do. */
export const presenceStatuses = [...chosenStatuses, 'offline'] as const
export type PresenceStatus = (typeof presenceStatuses)[number]

/** Whether somebody is there, and what they say of it. */
export const Presence = Type.Object(
  {
    user_id: Uuid(),
    status: Type.Unsafe<PresenceStatus>({
      type: 'string',
      enum: presenceStatuses,
      description: '`invisible` is `offline` to everybody but oneself',
    }),
    custom: Nullable(
      Type.String({ description: 'said of this presence; null leaves the status text of the user' }),
    ),
  },
  { title: 'Presence' },
)
export type Presence = Static<typeof Presence>

export const UpdatePresence = Type.Object({
  status: Type.Unsafe<ChosenStatus>({ type: 'string', enum: chosenStatuses }),
  custom: Type.Optional(Nullable(Text(0, limits.customStatusMax))),
})
export type UpdatePresence = Static<typeof UpdatePresence>
