import { type RefObject, useEffect, useRef } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import type { FileUpload } from './upload-state.ts'
import { UploadTile } from './upload-tile.tsx'
import { useUploadNews } from './use-upload-news.ts'

interface UploadListProps {
  uploads: readonly FileUpload[]
  /** Files that were there before somebody could add any: they are no news. */
  known: readonly FileUpload[]
  /** Where the focus goes when the last file is removed. */
  input: RefObject<HTMLElement | null>
  /** Announces something to assistive technology. */
  onNews: (news: string) => void
}

/** The files of the message that is being written, one beside the other. */
export function UploadList({ uploads, known, input, onNews }: UploadListProps) {
  const { uploads: sender } = useSession()
  useUploadNews(uploads, known, onNews)
  const list = useRef<HTMLUListElement>(null)
  const removed = useRef<number | null>(null)
  const count = uploads.length
  const failedId = uploads.find(({ progress }) => progress.kind === 'failed')?.id
  useInView(list, '.upload-tile:last-child', count)
  useInView(list, '.upload-tile[data-state="failed"]', failedId)

  // The button that was pressed is gone: on to the one of the next file.
  useEffect(() => {
    if (removed.current === null) return
    const buttons = list.current?.querySelectorAll<HTMLElement>('.upload-remove') ?? []
    buttons[Math.min(removed.current, count - 1)]?.focus()
    removed.current = null
  }, [count])

  function remove(index: number, { id, filename }: FileUpload) {
    // The list goes with its last file.
    if (count === 1) input.current?.focus()
    removed.current = index
    sender.discard([id])
    onNews(t('{filename} removed.', { filename }))
  }

  return (
    <ul className="upload-tray" ref={list} aria-label={t('Attached files')}>
      {uploads.map((upload, index) => (
        <UploadTile
          key={upload.id}
          upload={upload}
          onRemove={() => remove(index, upload)}
          onRetry={() => sender.retry([upload.id])}
        />
      ))}
    </ul>
  )
}

/** Scrolls to what matches, whenever something changes that makes it worth a look. */
function useInView(list: RefObject<HTMLElement | null>, selector: string, change: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change that asks for it
  useEffect(() => {
    list.current?.querySelector(selector)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [list, selector, change])
}
