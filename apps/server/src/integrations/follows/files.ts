import { discardUnshown } from '#src/files/objects/actions.ts'
import { type CopyDeps, copyFiles } from '#src/files/objects/copies.ts'
import type { FileTarget } from '#src/files/objects/reservation.ts'
import type { FileRow } from '#src/files/objects/rows.ts'
import { ApiError } from '#src/kernel/errors.ts'

/** Time limit for the files of one copy, and the extra time per MiB. */
const FILES_MS = 15_000
const FILES_MS_PER_MIB = 1000

export interface CopiedFiles {
  copied: readonly FileRow[]
  /** Names of files that did not fit, could not be read, or took too long. */
  leftOut: readonly string[]
}

/**
 * Copies files into the follower's storage, one by one. Files that do not fit or take too long are left out.
 * @param closing stops the copying with an error
 */
export async function copyEach(
  deps: CopyDeps,
  target: FileTarget,
  files: readonly FileRow[],
  closing: AbortSignal,
): Promise<CopiedFiles> {
  const live = files.filter(({ state }) => state === 'live')
  const sizeBytes = live.reduce((sum, { size_bytes }) => sum + size_bytes, 0)
  const lapse = AbortSignal.timeout(timeForFiles(sizeBytes))
  const copied: FileRow[] = []
  const leftOut: string[] = []
  for (const file of live) {
    const copy = lapse.aborted ? undefined : await copyOne(deps, target, file, [lapse, closing])
    if (closing.aborted) {
      await discardUnshown(deps.database, copied)
      throw closing.reason
    }
    if (copy === undefined) leftOut.push(file.filename)
    else copied.push({ ...copy, description: file.description })
  }
  return { copied, leftOut }
}

/** Returns the milliseconds that the files of one copy may take. */
export function timeForFiles(sizeBytes: number): number {
  return FILES_MS + Math.ceil((sizeBytes / 2 ** 20) * FILES_MS_PER_MIB)
}

/** Copies a file, unless it is refused or one of the signals ends it. */
async function copyOne(
  deps: CopyDeps,
  target: FileTarget,
  file: FileRow,
  ends: readonly AbortSignal[],
): Promise<FileRow | undefined> {
  const copying = copyFiles(deps, target, [file]).then(([copy]) => copy)
  try {
    return await untilEnd(deps, copying, AbortSignal.any([...ends]))
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** Waits for a new file until `end` is aborted. A file that arrives later is discarded. @returns undefined if there is no file */
export async function untilEnd(
  { database }: Pick<CopyDeps, 'database'>,
  copying: Promise<FileRow | undefined>,
  end: AbortSignal,
): Promise<FileRow | undefined> {
  const { promise: ended, resolve } = Promise.withResolvers<'ended'>()
  const onEnd = () => resolve('ended')
  end.addEventListener('abort', onEnd, { once: true })
  try {
    const outcome = end.aborted ? 'ended' : await Promise.race([copying, ended])
    if (outcome !== 'ended') return outcome
    copying.then((late) => discardUnshown(database, late === undefined ? [] : [late])).catch(() => undefined)
    return undefined
  } finally {
    end.removeEventListener('abort', onEnd)
  }
}
