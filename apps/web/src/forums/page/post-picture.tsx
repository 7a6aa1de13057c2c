import type { Attachment } from '@foyer/protocol/attachments'
import { Picture } from '#src/attachments/picture.tsx'
import { shownAttachment } from '#src/attachments/shown-file.ts'
import { useSource } from '#src/attachments/use-source.ts'

/** The first picture of a post. */
export function PostPicture({ attachment }: { attachment: Attachment }) {
  const file = shownAttachment(attachment, undefined)
  const source = useSource(file)
  return (
    <span className="post-picture">
      <Picture file={file} source={source} />
    </span>
  )
}
