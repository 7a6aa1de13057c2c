import { Plus } from 'lucide-react'
import { useRef } from 'react'
import { UploadTray } from '#src/attachments/uploads/upload-tray.tsx'
import { useDraftFiles } from '#src/attachments/uploads/use-draft-files.ts'
import { t } from '#src/language/texts.ts'
import type { useRoomPermissions } from '#src/permissions/use-permissions.ts'
import { Button } from '#src/ui/buttons/button.tsx'

interface PostPicturesProps {
  forumId: string
  /** Key of the draft with the pictures. */
  filesKey: string
  may: ReturnType<typeof useRoomPermissions>['may']
  /** True while the post is being sent with the pictures. */
  isDisabled: boolean
  onAdd: () => void
}

/** The pictures of a new post, which are uploaded as soon as they are chosen. */
export function PostPictures({ forumId, filesKey, may, isDisabled, onAdd }: PostPicturesProps) {
  const button = useRef<HTMLButtonElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const { uploads, refusals, add } = useDraftFiles({ id: filesKey, address: forumId, may })
  return (
    <div className="field" inert={isDisabled}>
      <UploadTray uploads={uploads} refusals={refusals} input={button} />
      <Button
        ref={button}
        className="post-pictures"
        disabled={isDisabled}
        onClick={() => input.current?.click()}
      >
        <Plus aria-hidden="true" /> {t('Add pictures')}
      </Button>
      <input
        ref={input}
        type="file"
        accept="image/*"
        multiple
        hidden
        tabIndex={-1}
        aria-label={t('Pictures to add')}
        onChange={(event) => {
          add({ files: [...(event.target.files ?? [])], hasFolders: false })
          onAdd()
          // Lets the user choose a removed picture again.
          event.target.value = ''
        }}
      />
    </div>
  )
}
