import { limits, MAX_GROUP_MEMBERS } from '@foyer/protocol/limits'
import type { User } from '@foyer/protocol/users'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { t } from '#src/language/texts.ts'
import '#src/friends/person-row.css'
import '#src/spaces/settings/settings.css'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { beginConversation, conversationPath } from './actions.ts'
import { PeoplePicker } from './people-picker.tsx'
import { conversationWords } from './words.ts'

interface NewConversationProps {
  /** Users selected initially. */
  people?: readonly User[]
  onClose: () => void
}

const NOBODY: readonly User[] = []

/** Starts a direct conversation with one selected user, or a group with several. */
export function NewConversation({ people = NOBODY, onClose }: NewConversationProps) {
  const session = useSession()
  const [, navigate] = useLocation()
  const [chosen, setChosen] = useState(people)
  const isGroup = chosen.length > 1

  async function begin({ name = '' }: Values) {
    const ids = chosen.map(({ id }) => id)
    const { id } = await beginConversation(session, ids, name.trim() || null)
    onClose()
    navigate(conversationPath(id))
  }

  return (
    <Modal
      open
      onOpenChange={onClose}
      title={t('New message')}
      description={t('Select one person, or up to {max} for a group.', { max: MAX_GROUP_MEMBERS - 1 })}
    >
      <SubmitForm
        fields={['name']}
        check={() => (chosen.length === 0 ? { form: t('Select at least one person.') } : {})}
        submit={begin}
        words={conversationWords}
      >
        {(pending) => (
          <>
            <PeoplePicker chosen={chosen} onChange={setChosen} max={MAX_GROUP_MEMBERS - 1} />
            {isGroup && (
              <TextField
                name="name"
                label={t('Group name')}
                hint={t('Optional. Leave empty to use the members’ names.')}
                autoComplete="off"
                maxLength={limits.nameMax}
              />
            )}
            <div className="form-actions">
              <Button onClick={onClose}>{t('Cancel')}</Button>
              <Button type="submit" look="primary" pending={pending}>
                {isGroup ? t('Create group') : t('Start chatting')}
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
    </Modal>
  )
}
