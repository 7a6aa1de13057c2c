import { type Static, Type } from 'typebox'
import {
  DEFAULT_SENSOR_JOINS,
  MAX_BANS_PAGE,
  MAX_DECIDED_NEWCOMERS,
  MAX_DOOR_MINUTES,
  MAX_SENSOR_JOINS,
  MIN_SENSOR_JOINS,
} from './limits.ts'
import { Nullable, Timestamp, Uuid } from './schema.ts'
import { Space } from './spaces.ts'
import { User } from './users.ts'

/**
 * joins, messages: the sensor closed the door, because of many joins or many messages of new members. moderator: a
 * moderator closed it.
 */
export const doorCauses = ['joins', 'messages', 'moderator'] as const
export type DoorCause = (typeof doorCauses)[number]

/** The door of a space. While the door is closed, people who use an invite wait until a moderator lets them in. */
export const Door = Type.Object(
  {
    space_id: Uuid(),
    closed_at: Nullable(Timestamp('null while the door is open')),
    closed_by: Nullable(Uuid('the moderator who closed it; null for the sensor')),
    cause: Nullable(Type.Unsafe<DoorCause>({ type: 'string', enum: [...doorCauses, null] })),
    newcomers: Type.Integer({ description: 'people who wait for a moderator' }),
    sensor: Type.Boolean({ description: 'whether the door closes by itself in a raid' }),
    sensor_joins: Type.Integer({
      description: `joins in a minute that count as a raid, or three times what is usual in the space if that is more; ${DEFAULT_SENSOR_JOINS} by default`,
    }),
  },
  { title: 'Door' },
)
export type Door = Static<typeof Door>

export const UpdateDoorBody = Type.Object({
  closed: Type.Optional(Type.Boolean()),
  joined_minutes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_DOOR_MINUTES,
      description:
        'with `closed`: those who joined in these last minutes wait for a moderator, too; 0 when omitted',
    }),
  ),
  sensor: Type.Optional(Type.Boolean()),
  sensor_joins: Type.Optional(Type.Integer({ minimum: MIN_SENSOR_JOINS, maximum: MAX_SENSOR_JOINS })),
})
export type UpdateDoorBody = Static<typeof UpdateDoorBody>

/** A user who joined in a raid, or arrived at the closed door. They are not a member until a moderator lets them in. */
export const Newcomer = Type.Object(
  {
    user: User,
    joined_at: Timestamp('when they joined, or came to the door'),
    has_left: Type.Boolean({ description: 'whether they left, or were removed, and do not wait' }),
  },
  { title: 'Newcomer' },
)
export type Newcomer = Static<typeof Newcomer>

export const ListNewcomersQuery = Type.Object({
  after: Type.Optional(Uuid('the last user of the previous page')),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_BANS_PAGE, default: MAX_BANS_PAGE })),
})
export type ListNewcomersQuery = Static<typeof ListNewcomersQuery>

const userIds = Type.Optional(
  Type.Array(Uuid(), {
    minItems: 1,
    maxItems: MAX_DECIDED_NEWCOMERS,
    uniqueItems: true,
    description: 'all newcomers when omitted',
  }),
)

export const LetInBody = Type.Object({ user_ids: userIds })
export type LetInBody = Static<typeof LetInBody>

export const RemoveNewcomersBody = Type.Object({
  user_ids: userIds,
  ban: Type.Optional(Type.Boolean({ description: 'whether they are banned. Needs BanMembers' })),
})
export type RemoveNewcomersBody = Static<typeof RemoveNewcomersBody>

export const DecidedNewcomers = Type.Object(
  { user_ids: Type.Array(Uuid(), { description: 'users whom the decision concerned' }) },
  { title: 'DecidedNewcomers' },
)
export type DecidedNewcomers = Static<typeof DecidedNewcomers>

/** A space whose moderators have not let the user in yet. */
export const WaitingSpace = Type.Object(
  {
    ...Type.Pick(Space, ['id', 'name', 'description', 'icon', 'banner']).properties,
    waiting_since: Timestamp(),
  },
  { title: 'WaitingSpace' },
)
export type WaitingSpace = Static<typeof WaitingSpace>
