import { MAX_EXPORT_FILE_BYTES } from '@foyer/protocol/limits'
import { WholeFiles } from '#src/files/objects/whole-files.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { spaceEntries } from '#src/space-archives/writing/entries.ts'
import { findSpaces } from '#src/spaces/queries.ts'
import type { Content } from '../content-deps.ts'

/** Writes a space in the format of docs/SPACE-FORMAT.md. */
export const writeSpace: Content = async (deps, run, archive, signal) => {
  const [space] = await findSpaces(deps.database, [run.subject_id])
  // The space was deleted or transferred after the export was requested.
  if (space?.owner_id !== run.user_id) throw new ApiError('owner_only')
  const files = new WholeFiles(deps, signal)
  const writing = { ...deps, files, maxFileBytes: MAX_EXPORT_FILE_BYTES, serverVersion: deps.config.version }
  for await (const entry of spaceEntries(writing, space.id)) {
    signal.throwIfAborted()
    if ('text' in entry) {
      await deps.formSpace.checkDisk(entry.text.length)
      await archive.addText(entry.name, entry.text)
    } else await archive.addBytes(entry.name, entry.content)
  }
}
