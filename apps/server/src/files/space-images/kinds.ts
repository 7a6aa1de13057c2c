import { MAX_EMOJIS, MAX_STICKERS } from '@foyer/protocol/limits'
import { Permission } from '@foyer/protocol/permissions'
import type { SpaceImage } from '@foyer/protocol/space-images'
import type { NewEvent } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import type { ErrorCode } from '#src/kernel/errors.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import type { SpaceImageKind } from '#src/spaces/queries.ts'

/** The differences between emojis and stickers. */
export interface Kind {
  readonly name: SpaceImageKind
  /** Permission to create, rename and delete. */
  readonly permission: number
  /** Limit per space. */
  readonly max: number
  readonly tooMany: ErrorCode
  readonly unknown: ErrorCode
  /** Box in pixels that the image is scaled to fit. */
  readonly fit: { width: number; height: number }
  readonly created: (image: SpaceImage) => NewEvent
  readonly updated: (image: SpaceImage) => NewEvent
  readonly deleted: (image: Pick<SpaceImage, 'space_id' | 'id'>) => NewEvent
}

const emoji: Kind = {
  name: 'emoji',
  permission: Permission.ManageSpaceEmojis,
  max: MAX_EMOJIS,
  tooMany: 'too_many_emojis',
  unknown: 'unknown_emoji',
  fit: { width: 128, height: 128 },
  created: (image) => event(topicOf.space(image.space_id), 'SPACE_EMOJI_CREATE', image),
  updated: (image) => event(topicOf.space(image.space_id), 'SPACE_EMOJI_UPDATE', image),
  deleted: ({ space_id, id }) =>
    event(topicOf.space(space_id), 'SPACE_EMOJI_DELETE', { space_id, emoji_id: id }),
}

const sticker: Kind = {
  name: 'sticker',
  permission: Permission.ManageSpaceStickers,
  max: MAX_STICKERS,
  tooMany: 'too_many_stickers',
  unknown: 'unknown_sticker',
  fit: { width: 512, height: 512 },
  created: (image) => event(topicOf.space(image.space_id), 'SPACE_STICKER_CREATE', image),
  updated: (image) => event(topicOf.space(image.space_id), 'SPACE_STICKER_UPDATE', image),
  deleted: ({ space_id, id }) =>
    event(topicOf.space(space_id), 'SPACE_STICKER_DELETE', { space_id, sticker_id: id }),
}

export const kinds = { emoji, sticker } as const satisfies Record<SpaceImageKind, Kind>
