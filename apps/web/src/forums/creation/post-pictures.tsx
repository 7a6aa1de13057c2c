import { useRef } from 'react'
import { UploadTray } from '#src/attachments/uploads/upload-tray.tsx'
import { useDraftFiles } from '#src/attachments/uploads/use-draft-files.ts'
import { t } from '#src/language/texts.ts'
import type { useRoomPermissions } from '#src/permissions/use-permissions.ts'

interface PostPicturesProps {
  forumId: string
  may: ReturnType<typeof useRoomPermissions>['may']
  isDisabled: boolean
  onAdd: () => void
}

/** The pictures of a new post, which are uploaded as soon as they are chosen. */
export function PostPictures({ forumId, may, isDisabled, onAdd }: PostPicturesProps) {
  const input = useRef<HTMLInputElement>(null)
  const { uploads, refusals, add } = useDraftFiles({ id: forumId, address: forumId, may })
  return (
    <div className="field">
      <label className="field">
        <span className="field-label">{t('Pictures (optional)')}</span>
        <input
          ref={input}
          type="file"
          accept="image/*"
          multiple
          className="field-control"
          disabled={isDisabled}
          onChange={(event) => {
            add({ files: [...(event.target.files ?? [])], hasFolders: false })
            onAdd()
            // Allows to choose a removed picture again.
            event.target.value = ''
          }}
        />
      </label>
      <UploadTray uploads={uploads} refusals={refusals} input={input} />
    </div>
  )
}
