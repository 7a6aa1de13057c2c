import type { DescribedFile } from '@foyer/protocol/attachments'
import type { SpooledFile } from '#src/kernel/http/bodies/multipart.ts'
import type { FileRow } from './rows.ts'

/** Returns the names by which descriptions refer to a message's files, in order: numbers for form files, ids for uploads. */
export function namesOfFiles(files: readonly SpooledFile[], uploadIds: readonly string[]): string[] {
  return [...files.map(({ field }, place) => numberOf(field) ?? String(place)), ...uploadIds]
}

/** Matches `files[3]`, as Discord's clients number their fields. */
function numberOf(field: string): string | undefined {
  return /^files\[(\d{1,9})\]$/.exec(field)?.[1]
}

/** Checks that every description names one of the files. */
export function nameFilesOnly(given: readonly DescribedFile[], names: readonly string[]): boolean {
  return given.every(({ id }) => names.includes(nameOf(id)))
}

/**
 * Returns the files with the given descriptions. Files without a given description keep their own.
 * @param names from `namesOfFiles`
 */
export function describeFiles(
  files: readonly FileRow[],
  names: readonly string[],
  given: readonly Partial<DescribedFile>[],
): FileRow[] {
  const descriptions = new Map(given.map(({ id, description }) => [nameOf(id), description]))
  return files.map((file, place) => {
    const description = descriptions.get(names[place] ?? '')
    return description === undefined ? file : { ...file, description: storedDescription(description) }
  })
}

/** Returns null for an empty description. */
export function storedDescription(description: string | null | undefined): string | null {
  return description === '' ? null : (description ?? null)
}

function nameOf(id: DescribedFile['id'] | undefined): string {
  return String(id).toLowerCase()
}
