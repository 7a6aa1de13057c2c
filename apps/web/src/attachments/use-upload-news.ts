import { useEffect, useRef } from 'react'
import { t } from '#src/language/texts.ts'
import type { FileUpload } from './upload-state.ts'

/**
 * Announces what just happened to these files, for those who cannot see it.
 * @param known files that were there before, which are no news
 */
export function useUploadNews(
  uploads: readonly FileUpload[],
  known: readonly FileUpload[],
  onNews: (news: string) => void,
): void {
  const before = useRef(known)

  useEffect(() => {
    const next = newsOf(before.current, uploads)
    before.current = uploads
    if (next !== null) onNews(next)
  }, [uploads, onNews])
}

/** In words, what changed between two looks at the files; null for nothing that is worth any. Files that are gone went with their message. */
export function newsOf(before: readonly FileUpload[], now: readonly FileUpload[]): string | null {
  const known = new Map(before.map((upload) => [upload.id, upload]))
  const changed = now.filter(({ id, progress }) => known.get(id)?.progress.kind !== progress.kind)
  const added = now
    .filter(({ id }) => !known.has(id))
    .map(({ filename }) => t('{filename} attached.', { filename }))
  const stored = changed
    .filter(({ progress }) => progress.kind === 'stored')
    .map(({ filename }) => t('{filename} uploaded.', { filename }))
  const failed = changed.flatMap(({ filename, progress }) =>
    progress.kind === 'failed'
      ? t('{filename} was not uploaded. {error}', { filename, error: progress.error })
      : [],
  )
  const words = [...added, ...stored, ...failed]
  return words.length === 0 ? null : words.join(' ')
}
