import { useEffect, useRef } from 'react'
import { t } from '#src/language/texts.ts'
import type { FileUpload } from '../transfer/upload-state.ts'

/**
 * Announces changes of these files to screen readers.
 * @param known files that existed before, which are not announced
 */
export function useUploadAnnouncements(
  uploads: readonly FileUpload[],
  known: readonly FileUpload[],
  onAnnounce: (text: string) => void,
): void {
  const before = useRef(known)

  useEffect(() => {
    const next = announcementOf(before.current, uploads)
    before.current = uploads
    if (next !== null) onAnnounce(next)
  }, [uploads, onAnnounce])
}

/**
 * Returns an announcement of the changes between two states, or null if there is nothing to announce. Missing files were
 * sent with their message.
 */
export function announcementOf(before: readonly FileUpload[], now: readonly FileUpload[]): string | null {
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
      ? t('Couldn’t upload {filename}. {error}', { filename, error: progress.error })
      : [],
  )
  const words = [...added, ...stored, ...failed]
  return words.length === 0 ? null : words.join(' ')
}
