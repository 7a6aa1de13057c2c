import { type Static, Type } from 'typebox'
import { Nullable, Timestamp, Uuid } from './schema.ts'

export const exportKinds = ['account', 'space'] as const
export type ExportKind = (typeof exportKinds)[number]

export const exportStates = ['queued', 'running', 'ready', 'failed'] as const

/** An archive of a person's data or of a space, as a ZIP. */
export const Export = Type.Object(
  {
    id: Uuid(),
    kind: Type.Enum([...exportKinds]),
    subject_id: Uuid('what it is of: the user'),
    state: Type.Enum([...exportStates]),
    failure: Nullable(
      Type.Enum(['storage_full', 'unavailable'], { description: 'null unless it has failed' }),
    ),
    size_bytes: Nullable(Type.Integer({ description: 'null until it is ready' })),
    created_at: Timestamp(),
    ready_at: Nullable(Timestamp()),
    expires_at: Timestamp('when it is deleted'),
  },
  { title: 'Export' },
)
export type Export = Static<typeof Export>

export const ExportDownload = Type.Object(
  {
    url: Type.String({ description: 'downloads the archive without a login' }),
    expires_at: Timestamp('until when a download can begin'),
  },
  { title: 'ExportDownload' },
)
export type ExportDownload = Static<typeof ExportDownload>

export const ExportParams = Type.Object({ exportId: Uuid() })
export const SpaceExportParams = Type.Object({ spaceId: Uuid(), exportId: Uuid() })
