import { type RefObject, useState } from 'react'
import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import type { FileUpload } from '../transfer/upload-state.ts'
import './upload-tray.css'

const UploadList = lazyPopup(() => import('./upload-list.tsx').then((module) => module.UploadList))

interface UploadTrayProps {
  uploads: readonly FileUpload[]
  refusals: readonly string[]
  /** Receives the focus when the last file is removed. */
  input: RefObject<HTMLElement | null>
}

/** The files of the draft, above its text. */
export function UploadTray({ uploads, refusals, input }: UploadTrayProps) {
  const [announcement, setAnnouncement] = useState('')
  const [known] = useState(uploads)
  return (
    <>
      {refusals.map((refusal) => (
        <p key={refusal} role="alert" className="upload-refusal">
          {refusal}
        </p>
      ))}
      {uploads.length > 0 && (
        <UploadList uploads={uploads} known={known} input={input} onAnnounce={setAnnouncement} />
      )}
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
    </>
  )
}
