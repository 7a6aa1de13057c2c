import { useEffect, useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import type { FileUpload } from './upload-state.ts'

interface UploadNews {
  readonly news: string
  readonly tell: (news: string) => void
}

/** What just happened to these files, for those who cannot see it. */
export function useUploadNews(uploads: readonly FileUpload[]): UploadNews {
  const before = useRef(uploads)
  const [news, setNews] = useState('')

  useEffect(() => {
    const next = newsOf(before.current, uploads)
    before.current = uploads
    if (next !== null) setNews(next)
  }, [uploads])

  return { news, tell: setNews }
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
