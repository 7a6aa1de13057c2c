import { type RefObject, useEffect, useRef } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import type { FileUpload } from './upload-state.ts'
import { UploadTile } from './upload-tile.tsx'
import './upload-tray.css'
import { useUploadNews } from './use-upload-news.ts'

interface UploadTrayProps {
  uploads: readonly FileUpload[]
  refusals: readonly string[]
  /** Where the focus goes when the last file is removed. */
  input: RefObject<HTMLElement | null>
}

/** The files of the message that is being written, above its text. */
export function UploadTray({ uploads, refusals, input }: UploadTrayProps) {
  const { uploads: sender } = useSession()
  const { news, tell } = useUploadNews(uploads)
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
    const next = buttons[Math.min(removed.current, count - 1)] ?? input.current
    removed.current = null
    next?.focus()
  }, [count, input])

  function remove(index: number, { id, filename }: FileUpload) {
    removed.current = index
    sender.discard([id])
    tell(t('{filename} removed.', { filename }))
  }

  return (
    <>
      {refusals.map((refusal) => (
        <p key={refusal} role="alert" className="upload-refusal">
          {refusal}
        </p>
      ))}
      {count > 0 && (
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
      )}
      <p className="visually-hidden" role="status">
        {news}
      </p>
    </>
  )
}

/** Scrolls to what matches, whenever something changes that makes it worth a look. */
function useInView(list: RefObject<HTMLElement | null>, selector: string, change: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change that asks for it
  useEffect(() => {
    list.current?.querySelector(selector)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [list, selector, change])
}
