import type { OwnLimits } from '#src/files/objects/queries.ts'
import type { Stores } from '#src/files/objects/stores.ts'
import type { WholeFileDeps } from '#src/files/objects/whole-files.ts'
import type { Database } from '#src/kernel/database/database.ts'
import type { SnapshotReads } from '#src/kernel/database/snapshot-reads.ts'
import type { FormSpace } from '#src/kernel/http/bodies/form-space.ts'
import type { TempFolder } from '#src/kernel/temp-folder.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import type { ArchiveWriter } from './archive-writer.ts'
import type { ExportRow } from './rows.ts'

export interface ContentDeps extends WholeFileDeps {
  config: { version: string }
  database: Database
  snapshotReads: SnapshotReads
  stores: Stores
  snapshots: Snapshots
  ownLimits: OwnLimits
  tempFolder: TempFolder
  formSpace: FormSpace
}

/** Writes the entire content of one kind of export. It reads in pages, and checks the signal between them. */
export type Content = (
  deps: ContentDeps,
  run: ExportRow,
  archive: ArchiveWriter,
  signal: AbortSignal,
) => Promise<void>
