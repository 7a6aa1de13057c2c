import { type RefObject, useState } from 'react'
import { lazyPopup } from '#src/ui/lazy-popup.tsx'
import type { FileUpload } from './upload-state.ts'
import './upload-tray.css'

const UploadList = lazyPopup(() => import('./upload-list.tsx').then((module) => module.UploadList))

interface UploadTrayProps {
  uploads: readonly FileUpload[]
  refusals: readonly string[]
  /** Where the focus goes when the last file is removed. */
  input: RefObject<HTMLElement | null>
}

/** The files of the message that is being written, above its text. */
export function UploadTray({ uploads, refusals, input }: UploadTrayProps) {
  const [news, setNews] = useState('')
  const [known] = useState(uploads)
  return (
    <>
      {refusals.map((refusal) => (
        <p key={refusal} role="alert" className="upload-refusal">
          {refusal}
        </p>
      ))}
      {uploads.length > 0 && <UploadList uploads={uploads} known={known} input={input} onNews={setNews} />}
      <p className="visually-hidden" role="status">
        {news}
      </p>
    </>
  )
}
