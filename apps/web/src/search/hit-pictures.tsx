import type { Attachment } from '@foyer/protocol/attachments'
import { Picture } from '#src/attachments/picture.tsx'
import { shownAttachment } from '#src/attachments/shown-file.ts'
import { kindOf } from '#src/attachments/transfer/kinds.ts'
import { useSource } from '#src/attachments/use-source.ts'
import './hit-pictures.css'

/** Pictures shown at most. The result text counts the others. */
const MAX_SHOWN = 4

/** Thumbnails of the pictures of a result. */
export function HitPictures({ attachments }: { attachments: readonly Attachment[] }) {
  const pictures = attachments.filter(({ content_type, url }) => url && kindOf(content_type) === 'image')
  if (pictures.length === 0) return null
  return (
    <span className="hit-pictures">
      {pictures.slice(0, MAX_SHOWN).map((picture) => (
        <HitPicture key={picture.id} attachment={picture} />
      ))}
    </span>
  )
}

function HitPicture({ attachment }: { attachment: Attachment }) {
  const file = shownAttachment(attachment, undefined)
  const source = useSource(file)
  if (source.isBroken) return null
  return (
    <span className="hit-picture">
      <Picture file={file} source={source} />
    </span>
  )
}
