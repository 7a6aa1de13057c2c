import { MAX_EMOJIS, MAX_STICKERS } from '@foyer/protocol/limits'
import { Permission } from '@foyer/protocol/permissions'
import type { SpaceImage } from '@foyer/protocol/space-images'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import type { TestServer } from '../server.ts'
import type { Person } from './people.ts'

/** Differences between emojis and stickers, for the tests that cover both. */
export interface Noun {
  kind: 'emoji' | 'sticker'
  one: string
  permission: number
  max: number
  tooMany: string
  /** Largest width and height, in pixels. */
  side: number
  unknown: string
  event: 'SPACE_EMOJI' | 'SPACE_STICKER'
  pathIn: (spaceId: string) => string
}

export const nouns: readonly Noun[] = [
  {
    kind: 'emoji',
    one: 'an emoji',
    permission: Permission.ManageSpaceEmojis,
    max: MAX_EMOJIS,
    tooMany: 'too_many_emojis',
    side: 128,
    unknown: 'unknown_emoji',
    event: 'SPACE_EMOJI',
    pathIn: (spaceId) => `/api/spaces/${spaceId}/emojis`,
  },
  {
    kind: 'sticker',
    one: 'a sticker',
    permission: Permission.ManageSpaceStickers,
    max: MAX_STICKERS,
    tooMany: 'too_many_stickers',
    side: 512,
    unknown: 'unknown_sticker',
    event: 'SPACE_STICKER',
    pathIn: (spaceId) => `/api/spaces/${spaceId}/stickers`,
  },
]

/** Returns the client's methods for emojis or stickers. */
export function methodsOf({ client }: Pick<Person, 'client'>, { kind }: Noun) {
  return kind === 'emoji' ? client.emojis : client.stickers
}

/** Inserts many emojis or stickers at once, without pictures. */
export async function insertImages(
  server: TestServer,
  { spaceId, creatorId }: { spaceId: string; creatorId: string },
  { kind }: Noun,
  count: number,
): Promise<void> {
  const ids = Array.from({ length: count }, () => newId())
  await server.deps.database.execute(sql`
    insert into space_images (space_id, kind, id, name, attachment_id, creator_id, animated)
    select ${spaceId}, ${kind}, id, 'n' || replace(right(id::text, 20), '-', ''), id, ${creatorId}, false
    from unnest(${ids}::uuid[]) id`)
}

export function deletionOf({ kind }: Noun, { space_id, id }: SpaceImage): Record<string, string> {
  return { space_id, [`${kind}_id`]: id }
}
