import type { Attachment } from '@foyer/protocol/attachments'
import { useMemo } from 'react'
import { FileCard } from './file-card.tsx'
import { Gallery } from './gallery.tsx'
import { AudioPlayer } from './players/audio-player.tsx'
import './message-files.css'
import { VideoPlayer } from './players/video-player.tsx'
import { groupFiles, type ShownFile, shownAttachment, shownUpload } from './shown-file.ts'
import { useOwnUploads, useUploadsOf } from './uploads/use-uploads.ts'

/** The files of a sent message. */
export function MessageFiles({ attachments }: { attachments: readonly Attachment[] }) {
  const own = useOwnUploads(attachments)
  const files = useMemo(
    () => attachments.map((attachment, index) => shownAttachment(attachment, own[index])),
    [attachments, own],
  )
  return <FileList files={files} />
}

/** The files of a message that is being sent, with their progress. */
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
