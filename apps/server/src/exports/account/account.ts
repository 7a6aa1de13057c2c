import { findFiles } from '#src/files/objects/queries.ts'
import { WholeFiles } from '#src/files/objects/whole-files.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { ArchiveWriter } from '../archive-writer.ts'
import type { Content, ContentDeps } from '../content-deps.ts'
import { jsonArrayOf } from '../json.ts'
import type { ExportRow } from '../rows.ts'
import { FileCopier, type ListedFile } from './files.ts'
import { findOwnPlaces, type OwnPlace, writeMessages } from './messages.ts'
import { indexPage } from './pages.ts'
import { findProfile, listPictureIds } from './queries.ts'
import { sections } from './sections.ts'
import type { WrittenSection } from './written.ts'

/** Writes everything that a person wrote, and all data about them. */
export const writeAccount: Content = async (deps, run, archive, signal) => {
  const userId = run.subject_id
  const profile = await findProfile(deps.database, userId)
  // The account was deleted after the export was requested.
  if (profile === undefined) throw new ApiError('authentication_required')
  const files = new FileCopier(new WholeFiles(deps, signal), archive)
  await archive.addText('data/profile.json', `${JSON.stringify(profile, null, 2)}\n`)
  const pictures = await copyPictures(deps, userId, files)
  const { written, places } = await writeSections(deps, run, archive, signal)
  const messages = await writeMessages({ deps, archive, userId, files, signal }, places)
  const createdAt = new Date().toISOString()
  await archive.addText(
    'index.html',
    indexPage({ profile, places: messages, pictures, sections: written, createdAt }),
  )
}

/** Reads on a separate connection, and closes it before files are read, because storages may be slow. */
async function writeSections(
  deps: ContentDeps,
  run: ExportRow,
  archive: ArchiveWriter,
  signal: AbortSignal,
): Promise<{ written: WrittenSection[]; places: OwnPlace[] }> {
  const userId = run.subject_id
  await using snapshot = await deps.snapshotReads.open()
  const written: WrittenSection[] = []
  for (const section of sections) {
    signal.throwIfAborted()
    await deps.formSpace.checkDisk(0)
    const path = `data/${section.name}.json`
    const rows = await writeRows(archive, path, section.pages(snapshot, userId))
    written.push({ title: section.title, path, rows })
  }
  return { written, places: await findOwnPlaces(snapshot, userId, signal) }
}

async function writeRows(
  archive: ArchiveWriter,
  path: string,
  pages: AsyncIterable<readonly object[]>,
): Promise<number> {
  let rows = 0
  const text = jsonArrayOf(pages, (count) => {
    rows += count
  })
  await archive.addText(path, text)
  return rows
}

async function copyPictures(
  { database }: ContentDeps,
  userId: string,
  files: FileCopier,
): Promise<ListedFile[]> {
  const rows = await findFiles(database, userId, await listPictureIds(database, userId))
  const copied: ListedFile[] = []
  for (const row of rows) copied.push(await files.copy(row))
  return copied
}
