import { type Static, Type } from 'typebox'
import { SpaceEmoji } from './emojis.ts'
import { limits, MAX_AUDIT_LOG_DAYS } from './limits.ts'
import { Member } from './members.ts'
import { RetentionDays } from './retention.ts'
import { Role, RoomOverwrite } from './roles.ts'
import { Room } from './rooms.ts'
import { KeptImage, Nullable, RemovedImage, Text, Timestamp, Uuid } from './schema.ts'
import { SpaceSticker } from './stickers.ts'
import { GivenCode } from './users.ts'
import { VoiceState } from './voice.ts'

export const Space = Type.Object(
  {
    id: Uuid(),
    name: Type.String(),
    description: Nullable(Type.String()),
    icon: Nullable(Uuid('icon attachment')),
    banner: Nullable(Uuid('banner attachment')),
    owner_id: Uuid(),
    locale: Nullable(Type.String()),
    system_room_id: Nullable(Uuid('text room for messages about new members; null for none')),
    audit_log_days: Nullable(
      Type.Integer({ description: 'days for which the audit log is kept; null for no limit' }),
    ),
    retention_days: Nullable(
      Type.Integer({
        description:
          'days after which messages are deleted, in rooms without days of their own; null keeps them',
      }),
    ),
    door_closed_at: Nullable(
      Timestamp('while it is set, invites let nobody in; null while the door is open'),
    ),
    frozen_at: Nullable(
      Timestamp('since when operators of the server keep it as it is; null for a space that is not frozen'),
    ),
    needs_second_factor: Type.Boolean({
      description: 'whether moderating it needs a session with a second factor',
    }),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { title: 'Space' },
)
export type Space = Static<typeof Space>

/** Names of the first rooms of a new space. */
const FirstRoomNames = Type.Object(
  {
    text_category: Type.Optional(Text(1, limits.nameMax)),
    text_room: Type.Optional(Text(1, limits.nameMax)),
    voice_category: Type.Optional(Text(1, limits.nameMax)),
    voice_room: Type.Optional(Text(1, limits.nameMax)),
  },
  { description: 'in the language of the space; omitted names are in English' },
)
export type FirstRoomNames = Static<typeof FirstRoomNames>

export const CreateSpaceBody = Type.Object({
  name: Text(1, limits.nameMax),
  description: Type.Optional(Nullable(Text(0, limits.descriptionMax))),
  room_names: Type.Optional(FirstRoomNames),
  announce_joins: Type.Optional(
    Type.Boolean({ description: 'true makes the first text room the system room; false when omitted' }),
  ),
  raid_sensor: Type.Optional(
    Type.Boolean({ description: 'whether the door closes by itself in a raid; false when omitted' }),
  ),
})
export type CreateSpaceBody = Static<typeof CreateSpaceBody>

/** A language code. The specification does not define its format. */
const Locale = () =>
  Type.String({
    maxLength: limits.localeMax,
    description: 'a language code for clients, such as de or en-GB',
  })

const spaceTexts = {
  name: Type.Optional(Text(1, limits.nameMax)),
  description: Type.Optional(Nullable(Text(0, limits.descriptionMax))),
  locale: Type.Optional(Nullable(Locale())),
  system_room_id: Type.Optional(
    Nullable(Uuid('a text room of the space; null turns off messages about new members')),
  ),
}

export const UpdateSpaceBody = Type.Object({
  ...spaceTexts,
  icon: KeptImage(),
  banner: KeptImage(),
  audit_log_days: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 1,
        maximum: MAX_AUDIT_LOG_DAYS,
        description: 'days for which the audit log is kept; null for no limit',
      }),
    ),
  ),
  retention_days: RetentionDays('days after which messages are deleted; null keeps them'),
  needs_second_factor: Type.Optional(
    Type.Boolean({ description: 'changed only by the owner, in a session with a second factor' }),
  ),
})
export type UpdateSpaceBody = Static<typeof UpdateSpaceBody>

/** The text fields of the multipart body, where an empty text means null. Its files are `icon` and `banner`. */
export const UpdateSpaceForm = Type.Object({
  ...spaceTexts,
  audit_log_days: Type.Optional(
    Type.String({ pattern: '^([1-9][0-9]{0,3})?$', description: 'empty for no limit' }),
  ),
  retention_days: Type.Optional(
    Type.String({ pattern: '^([1-9][0-9]{0,3})?$', description: 'empty keeps messages' }),
  ),
  remove_icon: RemovedImage(),
  remove_banner: RemovedImage(),
})
export type UpdateSpaceForm = Static<typeof UpdateSpaceForm>

export const TransferSpaceBody = Type.Object({
  user_id: Uuid('a member, who becomes the owner'),
  code: Type.Optional(GivenCode('needed by owners with a second factor')),
})
export type TransferSpaceBody = Static<typeof TransferSpaceBody>

export const CreateSpaceResult = Type.Object(
  { space: Space, rooms: Type.Array(Room), roles: Type.Array(Role), member: Member },
  { title: 'CreateSpaceResult' },
)
export type CreateSpaceResult = Static<typeof CreateSpaceResult>

/** A space with all the data that a member may see: the data of READY and SPACE_CREATE. */
export const SpaceState = Type.Object(
  {
    ...Space.properties,
    rooms: Type.Array(Room),
    overwrites: Type.Array(RoomOverwrite),
    roles: Type.Array(Role),
    emojis: Type.Array(SpaceEmoji),
    stickers: Type.Array(SpaceSticker),
    member: Member,
    member_count: Type.Integer(),
    voice_states: Type.Array(VoiceState, { description: 'of the rooms that the member may view' }),
  },
  { title: 'SpaceState' },
)
export type SpaceState = Static<typeof SpaceState>

export const SpaceParams = Type.Object({ spaceId: Uuid() })
