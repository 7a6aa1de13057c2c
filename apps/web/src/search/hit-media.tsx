import type { Attachment } from '@foyer/protocol/attachments'
import { ImageOff } from 'lucide-react'
import { Picture } from '#src/attachments/picture.tsx'
import { type ShownFile, shownAttachment } from '#src/attachments/shown-file.ts'
import { kindOf } from '#src/attachments/transfer/kinds.ts'
import { useSource } from '#src/attachments/use-source.ts'
import { VideoPreview } from '#src/attachments/video-preview.tsx'
import './hit-media.css'

/** Maximum number of thumbnails. The last one shows how many more there are. */
const MAX_SHOWN = 4

/** Returns true for files that a result shows as a thumbnail. */
export function hasThumbnail({ content_type, url }: Attachment): boolean {
  return url !== undefined && ['image', 'video'].includes(kindOf(content_type))
}

/** Thumbnails of the pictures and videos of a result. */
export function HitMedia({ attachments }: { attachments: readonly Attachment[] }) {
  const files = attachments.filter(hasThumbnail).map((attachment) => shownAttachment(attachment, undefined))
  const more = files.length - MAX_SHOWN
  if (files.length === 0) return null
  return (
    <span className="hit-media">
      {files.slice(0, MAX_SHOWN).map((file, index) => (
        <span key={file.id} className="hit-thumbnail">
          {kindOf(file.content_type) === 'video' ? <VideoPreview file={file} /> : <HitPicture file={file} />}
          {more > 0 && index === MAX_SHOWN - 1 && <span className="hit-more">{`+${more}`}</span>}
        </span>
      ))}
    </span>
  )
}

function HitPicture({ file }: { file: ShownFile }) {
  const source = useSource(file)
  if (!source.isBroken) return <Picture file={file} source={source} />
  return (
    <span className="hit-broken" role="img" aria-label={file.description ?? file.filename}>
      <ImageOff aria-hidden="true" />
    </span>
  )
}
