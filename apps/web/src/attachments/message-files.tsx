import type { Attachment } from '@foyer/protocol/attachments'
import { useMemo } from 'react'
import { AudioPlayer } from './audio-player.tsx'
import { FileCard } from './file-card.tsx'
import { Gallery } from './gallery.tsx'
import './message-files.css'
import { groupFiles, type ShownFile, shownAttachment, shownUpload } from './shown-file.ts'
import type { FileUpload } from './upload-state.ts'
import { useUploads, useUploadsOf } from './use-uploads.ts'
import { VideoPlayer } from './video-player.tsx'

/** The files of a message that is there. */
export function MessageFiles({ attachments }: { attachments: readonly Attachment[] }) {
  const uploads = useUploads((state) => state.uploads)
  const files = useMemo(() => {
    const own = Object.values(uploads)
    return attachments.map((attachment) => shownAttachment(attachment, ownOf(own, attachment.id)))
  }, [attachments, uploads])
  return <FileList files={files} />
}

/** The files of a message on its way: what this browser has of them, and how far they are. */
export function OutgoingFiles({ uploadIds }: { uploadIds: readonly string[] }) {
  const uploads = useUploadsOf(uploadIds)
  return <FileList files={useMemo(() => uploads.map(shownUpload), [uploads])} />
}

function FileList({ files }: { files: readonly ShownFile[] }) {
  const { images, videos, sounds, cards } = groupFiles(files)
  if (files.length === 0) return null
  return (
    <div className="message-files">
      <Gallery images={images} />
      {videos.map((file) => (
        <VideoPlayer key={file.id} file={file} />
      ))}
      {sounds.map((file) => (
        <AudioPlayer key={file.id} file={file} />
      ))}
      {cards.map((file) => (
        <FileCard key={file.id} file={file} />
      ))}
    </div>
  )
}

function ownOf(uploads: readonly FileUpload[], attachmentId: string): FileUpload | undefined {
  return uploads.find(({ progress }) => progress.kind === 'stored' && progress.attachment_id === attachmentId)
}
