import { type RefObject, useEffect, useRef } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import type { FileUpload } from '../transfer/upload-state.ts'
import { UploadTile } from './upload-tile.tsx'
import { useUploadAnnouncements } from './use-upload-announcements.ts'

interface UploadListProps {
  uploads: readonly FileUpload[]
  /** Files that the draft already had when it was opened. They are not announced. */
  known: readonly FileUpload[]
  /** Receives the focus when the last file is removed. */
  input: RefObject<HTMLElement | null>
  /** Announces a text to assistive technology. */
  onAnnounce: (text: string) => void
}

/** The files of the draft, in a row. */
export function UploadList({ uploads, known, input, onAnnounce }: UploadListProps) {
  const { uploads: sender } = useSession()
  useUploadAnnouncements(uploads, known, onAnnounce)
  const list = useRef<HTMLUListElement>(null)
  const removed = useRef<number | null>(null)
  const count = uploads.length
  const failedId = uploads.find(({ progress }) => progress.kind === 'failed')?.id
  useInView(list, '.upload-tile:last-child', count)
  useInView(list, '.upload-tile[data-state="failed"]', failedId)

  // The clicked button was removed, so the focus moves to the next file's button.
  useEffect(() => {
    if (removed.current === null) return
    const buttons = list.current?.querySelectorAll<HTMLElement>('.upload-remove') ?? []
    buttons[Math.min(removed.current, count - 1)]?.focus()
    removed.current = null
  }, [count])

  function remove(index: number, { id, filename }: FileUpload) {
    // The list is removed along with its last file.
    if (count === 1) input.current?.focus()
    removed.current = index
    sender.discard([id])
    onAnnounce(t('{filename} removed.', { filename }))
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

/** Scrolls to the matching element whenever `change` changes. */
function useInView(list: RefObject<HTMLElement | null>, selector: string, change: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs because of `change`
  useEffect(() => {
    list.current?.querySelector(selector)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [list, selector, change])
}
