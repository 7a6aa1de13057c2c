import type { SpaceImage } from '@foyer/protocol/space-images'
import { Trash2 } from 'lucide-react'
import { memo, type RefObject, useState } from 'react'
import { pictureUrl } from '#src/images/picture-url.ts'
import { t } from '#src/language/texts.ts'
import { useNames } from '#src/members/use-names.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { formatAgo } from '#src/ui/time/ago.ts'
import type { ImageKind } from './image-kind.ts'
import { NameField } from './name-field.tsx'

interface ImageEntryProps {
  kind: ImageKind
  image: SpaceImage
  /** Receives the focus after the image is deleted. */
  focusAfter: RefObject<HTMLElement | null>
}

/** One emoji or sticker. Memoized: the list can have hundreds. */
export const ImageEntry = memo(function ImageEntry({ kind, image, focusAfter }: ImageEntryProps) {
  const creator = useAppState((state) => state.users[image.creator_id])
  const nameOf = useNames(image.space_id)
  return (
    <li className="settings-row">
      <span className="settings-person">
        <span className={`image-tile image-tile-${kind.noun}`}>
          <img
            src={pictureUrl(image.attachment_id)}
            alt={`:${image.name}:`}
            loading="lazy"
            decoding="async"
          />
        </span>
        <span className="settings-names">
          <NameField kind={kind} image={image} />
          <span className="settings-note">
            {creator === undefined
              ? t('Added {ago}', { ago: formatAgo(image.created_at) })
              : t('By {name}, {ago}', { name: nameOf(creator), ago: formatAgo(image.created_at) })}
            {image.animated && ` · ${t('animated')}`}
          </span>
        </span>
      </span>
      <DeleteImage kind={kind} image={image} focusAfter={focusAfter} />
    </li>
  )
})

function DeleteImage({ kind, image, focusAfter }: ImageEntryProps) {
  const session = useSession()
  const [open, setOpen] = useState(false)
  return (
    <>
      <IconButton
        label={t('Delete {name}', { name: image.name })}
        icon={<Trash2 />}
        onClick={() => setOpen(true)}
      />
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title={t('Delete :{name}:?', { name: image.name })}
        action={t('Delete')}
        run={() => kind.remove(session, image)}
        focusAfter={focusAfter}
      >
        <p>{kind.texts.deleted}</p>
      </Confirm>
    </>
  )
}
