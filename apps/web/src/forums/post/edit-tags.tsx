import type { Forum } from '@foyer/protocol/forums'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import type { ThreadEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { SubmitForm } from '#src/ui/fields/submit-form.tsx'
import { presentTags } from '../tags/present-tags.ts'
import { TagChoice } from '../tags/tag-choice.tsx'

interface EditTagsProps {
  entry: ThreadEntry
  forum: Forum
  /** True if the user has the permission ManageThreads. */
  isManager: boolean
  onClose: () => void
}

/** Chooses the tags of a post. */
export function EditTags({ entry, forum, isManager, onClose }: EditTagsProps) {
  const { client, store } = useSession()
  const [wanted, setChosen] = useState<readonly string[]>(entry.thread.tags ?? [])
  const chosen = presentTags(forum, wanted)

  async function save() {
    const { own: _, ...thread } = await client.api(ThreadRooms).update(entry.id, { tags: chosen })
    store.adopt('THREAD_UPDATE', thread)
    onClose()
  }

  return (
    <Modal open onOpenChange={onClose} title={t('Edit tags')}>
      <SubmitForm fields={['tags']} submit={save}>
        {(pending) => (
          <>
            <TagChoice
              label={t('Tags')}
              hint={forum.requires_tag ? t('A post here needs at least one tag.') : undefined}
              tags={forum.tags}
              chosen={chosen}
              isLocked={(tag) => tag.is_moderated && !isManager}
              onChange={setChosen}
            />
            <div className="form-actions">
              <Button onClick={onClose}>{t('Cancel')}</Button>
              <Button type="submit" look="primary" pending={pending}>
                {t('Save')}
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
    </Modal>
  )
}
