import { type Static, Type } from 'typebox'
import { Nullable, Timestamp, Uuid } from './schema.ts'
import { User } from './users.ts'

/** Maximum spaces, files and buckets in each list of an answer. */
export const MAX_LARGEST = 50
/** Maximum tables in an answer, sorted by size. */
export const MAX_TABLES = 20

const Amount = { count: Type.Integer(), bytes: Type.Integer() }

export const storagePurposes = [
  'message',
  'held',
  'report',
  'emoji',
  'sticker',
  'icon',
  'banner',
  'avatar',
  'preview',
  'export',
  'import',
  'unfinished',
] as const
export type StoragePurpose = (typeof storagePurposes)[number]

const Purpose = () => Type.Unsafe<StoragePurpose>({ type: 'string', enum: storagePurposes })

/** A stored file as operators see it. They cannot open it. */
export const StoredFile = Type.Object(
  {
    id: Uuid(),
    filename: Type.String(),
    purpose: Purpose(),
    bytes: Type.Integer(),
    uploader: Nullable(User),
    space: Nullable(
      Type.Object(
        { id: Uuid(), name: Type.String() },
        { description: 'null for a file of a conversation, or of no space' },
      ),
    ),
    created_at: Timestamp(),
  },
  { title: 'StoredFile' },
)
export type StoredFile = Static<typeof StoredFile>

/** Findings of a survey, with current names. Objects that were deleted since are omitted. */
export const StorageFindings = Type.Object(
  {
    surveyed_at: Timestamp(),
    total: Type.Object(Amount),
    purposes: Type.Array(
      Type.Object({
        purpose: Purpose(),
        ...Amount,
      }),
      { description: 'largest first' },
    ),
    own: Type.Object(Amount, { description: 'files in the storage of the server' }),
    buckets: Type.Array(
      Type.Object({
        id: Uuid(),
        name: Type.String(),
        bucket_name: Type.String(),
        space: Type.Object({ id: Uuid(), name: Type.String() }),
        ...Amount,
      }),
      { description: 'buckets of spaces, largest first, 50 at most' },
    ),
    spaces: Type.Array(Type.Object({ id: Uuid(), name: Type.String(), ...Amount }), {
      description: 'largest first, 50 at most',
    }),
    files: Type.Array(StoredFile, { description: 'of messages, largest first, 50 at most' }),
    missing: Type.Object(
      { ...Amount, files: Type.Array(StoredFile, { description: '50 at most' }) },
      { description: 'files whose objects are not in the storage of the server' },
    ),
    loose: Nullable(
      Type.Object(Amount, {
        description: 'objects that belong to no file; null if the storage of the server is a bucket',
      }),
    ),
  },
  { title: 'StorageFindings' },
)
export type StorageFindings = Static<typeof StorageFindings>

export const StorageSurvey = Type.Object(
  {
    state: Type.Unsafe<'idle' | 'waiting' | 'running'>({
      type: 'string',
      enum: ['idle', 'waiting', 'running'],
    }),
    progress: Type.Integer({ description: 'files checked by the running survey' }),
    failure: Nullable(Type.String({ description: 'why the last one failed' })),
  },
  { title: 'StorageSurvey' },
)
export type StorageSurvey = Static<typeof StorageSurvey>

export const StorageOverview = Type.Object(
  {
    survey: StorageSurvey,
    findings: Nullable(StorageFindings),
    has_snapshot: Type.Boolean({
      description: 'whether an update snapshot is kept, to which objects may belong',
    }),
    tables: Type.Array(
      Type.Object({
        name: Type.String(),
        bytes: Type.Integer({ description: 'with its indexes' }),
        rows: Type.Integer({ description: 'about' }),
      }),
      { description: 'of the database, largest first, 20 at most' },
    ),
  },
  { title: 'StorageOverview' },
)
export type StorageOverview = Static<typeof StorageOverview>
