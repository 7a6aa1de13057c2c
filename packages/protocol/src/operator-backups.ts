import { type Static, Type } from 'typebox'
import { Nullable, Timestamp } from './schema.ts'

/** Maximum backups in an answer. */
export const MAX_BACKUPS = 100

export const BackupEntry = Type.Object(
  {
    at: Timestamp('when it was made, or begun'),
    state: Type.Unsafe<'running' | 'made' | 'failed'>({
      type: 'string',
      enum: ['running', 'made', 'failed'],
    }),
    kind: Type.Unsafe<'scheduled' | 'asked' | 'elsewhere'>({
      type: 'string',
      enum: ['scheduled', 'asked', 'elsewhere'],
      description:
        'by the schedule, by an operator, or by the command line or before the server kept this list',
    }),
    files: Nullable(Type.Integer({ description: 'null if it is not known here' })),
    file_bytes: Nullable(Type.Integer()),
    rows: Nullable(Type.Integer()),
    failure: Nullable(Type.String()),
  },
  { title: 'BackupEntry' },
)
export type BackupEntry = Static<typeof BackupEntry>

export const BackupRun = Type.Object(
  {
    state: Type.Unsafe<'idle' | 'waiting' | 'database' | 'files'>({
      type: 'string',
      enum: ['idle', 'waiting', 'database', 'files'],
      description: 'the part that is being copied',
    }),
  },
  { title: 'BackupRun' },
)
export type BackupRun = Static<typeof BackupRun>

export const BackupOverview = Type.Object(
  {
    schedule: Nullable(
      Type.Object(
        {
          location: Type.String({ description: 'the folder or bucket' }),
          every_hours: Type.Integer(),
          keep: Type.Integer({ description: 'backups that are kept' }),
        },
        { description: 'null if the server makes none by itself: BACKUP_TO is not set' },
      ),
    ),
    run: BackupRun,
    is_overdue: Type.Boolean({
      description: 'whether the newest is older than two intervals, or there is none',
    }),
    trouble: Nullable(Type.String({ description: 'why the backups could not be listed' })),
    /** Newest first. */
    backups: Type.Array(BackupEntry),
    last_failure: Nullable(
      Type.Object(
        { at: Timestamp(), failure: Type.String() },
        { description: 'null if the last attempt succeeded' },
      ),
    ),
  },
  { title: 'BackupOverview' },
)
export type BackupOverview = Static<typeof BackupOverview>
