import { type Static, Type } from 'typebox'
import { Nullable, Timestamp, Uuid } from './schema.ts'

export const spaceImportStates = ['uploading', 'queued', 'running', 'done', 'failed'] as const

const Count = (description?: string) => Type.Integer({ ...(description !== undefined && { description }) })

/** Counts of imported and omitted objects. */
export const SpaceImportResult = Type.Object(
  {
    rooms: Count(),
    roles: Count(),
    messages: Count(),
    files: Count(),
    emojis: Count(),
    stickers: Count(),
    left_out: Type.Object({
      files: Count('that the archive does not hold, or for which the storage has no room'),
      images: Count('of the space, its emojis and its stickers, likewise, or larger than 10 MiB'),
      pins: Count('past the limit of a room'),
      member_overwrites: Count('of single members, which no archive holds'),
      notices: Count('of the server, such as who joined, which no archive holds'),
    }),
  },
  { title: 'SpaceImportResult' },
)
export type SpaceImportResult = Static<typeof SpaceImportResult>

/** An archive of a space that becomes a new space. */
export const SpaceImport = Type.Object(
  {
    id: Uuid(),
    state: Type.Enum([...spaceImportStates]),
    failure: Nullable(
      Type.Object({
        code: Type.String({ description: 'an error code' }),
        message: Type.String({ description: 'English description of the problem and its position' }),
      }),
    ),
    space_id: Nullable(Uuid('the new space; null until it is done')),
    result: Nullable(SpaceImportResult),
    created_at: Timestamp(),
    expires_at: Timestamp('when this is forgotten; the space stays'),
  },
  { title: 'SpaceImport' },
)
export type SpaceImport = Static<typeof SpaceImport>

export const SpaceImportParams = Type.Object({ importId: Uuid() })
