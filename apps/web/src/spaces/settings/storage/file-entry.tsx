import type { Attachment } from '@foyer/protocol/attachments'
import { Trash2 } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { formatSize } from '#src/attachments/transfer/size.ts'
import { pictureUrl } from '#src/images/picture-url.ts'
import { joined } from '#src/language/formats.ts'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { formatAgo } from '#src/ui/time/ago.ts'

interface FileEntryProps {
  space: SpaceEntry
  file: Attachment
  /** Receives the focus after the file is deleted. */
  focusAfter: RefObject<HTMLElement | null>
}

/** One picture of the space, with the emoji and stickers that use it. */
export function FileEntry({ space, file, focusAfter }: FileEntryProps) {
  const { client } = useSession()
  const [asks, setAsks] = useState(false)
  const uses = usesOf(space, file)
  const facts = [
    formatSize(file.size_bytes),
    ...(file.width === null || file.height === null ? [] : [`${file.width} × ${file.height}`]),
    formatAgo(file.created_at),
  ]
  return (
    <li className="settings-row">
      <span className="settings-person">
        <span className="image-tile">
          <img
            src={pictureUrl(file.id)}
            alt={t('Preview of {filename}', { filename: file.filename })}
            loading="lazy"
            decoding="async"
          />
        </span>
        <span className="settings-names">
          <span className="settings-name" dir="auto">
            {file.filename}
          </span>
          <span className="settings-note">{uses.join(', ')}</span>
          <span className="settings-note">{facts.join(' · ')}</span>
        </span>
      </span>
      <IconButton
        label={t('Delete {filename}', { filename: file.filename })}
        icon={<Trash2 />}
        onClick={() => setAsks(true)}
      />
      <Confirm
        open={asks}
        onOpenChange={setAsks}
        title={t('Delete {filename}?', { filename: file.filename })}
        action={t('Delete')}
        run={() => client.attachments.deleteOfSpace(space.id, file.id)}
        focusAfter={focusAfter}
      >
        <p>
          {uses.length === 0
            ? t('This deletes the file for everyone and can’t be undone.')
            : t('This also deletes: {uses}.', { uses: joined(uses) })}
        </p>
      </Confirm>
    </li>
  )
}

function usesOf(space: SpaceEntry, { id }: Attachment): string[] {
  const emojis = space.emojis.filter((emoji) => emoji.attachment_id === id)
  const stickers = space.stickers.filter((sticker) => sticker.attachment_id === id)
  return [
    ...emojis.map(({ name }) => t('emoji :{name}:', { name })),
    ...stickers.map(({ name }) => t('sticker :{name}:', { name })),
  ]
}
