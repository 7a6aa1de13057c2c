import type { Place } from '#src/channels/place.ts'
import { type CopyDeps, copyFiles } from '#src/files/objects/copies.ts'
import type { FileRow } from '#src/files/objects/rows.ts'
import { ApiError } from '#src/kernel/errors.ts'

export interface CopiedFiles {
  copied: readonly FileRow[]
  /** Names of those that did not fit, or could not be read. */
  leftOut: readonly string[]
}

/** Copies files into the storage of a follower, one by one: those that do not fit there are left out. */
export async function copyEach(
  deps: CopyDeps,
  { tenantId, channelId }: Place,
  ownerId: string,
  files: readonly FileRow[],
): Promise<CopiedFiles> {
  const target = { tenantId, channelId, ownerId, purpose: 'message', where: 'bucket-or-own' } as const
  const copied: FileRow[] = []
  const leftOut: string[] = []
  for (const file of files.filter(({ state }) => state === 'live')) {
    const [copy] = await copyFiles(deps, target, [file]).catch(refused)
    if (copy === undefined) leftOut.push(file.filename)
    else copied.push({ ...copy, description: file.description })
  }
  return { copied, leftOut }
}

function refused(error: unknown): FileRow[] {
  if (error instanceof ApiError) return []
  throw error
}
