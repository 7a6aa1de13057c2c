import type { Conversation } from '@foyer/protocol/conversations'
import { MAX_GROUP_MEMBERS } from '@foyer/protocol/limits'
import type { User } from '@foyer/protocol/users'
import { useState } from 'react'
import { counted, t } from '#src/language/texts.ts'
import '#src/friends/person-row.css'
import '#src/spaces/settings/settings.css'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { SubmitForm } from '#src/ui/fields/submit-form.tsx'
import { isGroup, useOthers } from '../conversation-name.ts'
import { NewConversation } from '../new-conversation.tsx'
import { PeoplePicker } from '../people-picker.tsx'
import { conversationWords } from '../words.ts'

interface AddPeopleProps {
  conversation: Conversation
  onClose: () => void
}

const NOBODY: readonly User[] = []

/** Adds people to a group. For a direct conversation, it creates a new group with the additional people. */
export function AddPeople({ conversation, onClose }: AddPeopleProps) {
  const others = useOthers(conversation)
  if (!isGroup(conversation)) return <NewConversation people={others} onClose={onClose} />
  return <AddToGroup conversation={conversation} onClose={onClose} />
}

function AddToGroup({ conversation, onClose }: AddPeopleProps) {
  const { client } = useSession()
  const [chosen, setChosen] = useState(NOBODY)
  const free = MAX_GROUP_MEMBERS - conversation.recipients.length

  async function add() {
    for (const user of chosen) {
      await client.conversations.addMember(conversation.id, user.id)
      // Members added so far are not added again if the next request fails and the user retries.
      setChosen((left) => left.filter(({ id }) => id !== user.id))
    }
    onClose()
  }

  return (
    <Modal
      open
      onOpenChange={onClose}
      title={t('Add people')}
      description={counted(
        free,
        'They’ll be able to read all earlier messages. You can add {count} more person.',
        'They’ll be able to read all earlier messages. You can add {count} more people.',
      )}
    >
      <SubmitForm
        fields={[]}
        check={() => (chosen.length === 0 ? { form: t('Select at least one person.') } : {})}
        submit={add}
        words={conversationWords}
      >
        {(pending) => (
          <>
            <PeoplePicker
              chosen={chosen}
              onChange={setChosen}
              excluded={conversation.recipients}
              max={free}
            />
            <div className="form-actions">
              <Button onClick={onClose}>{t('Cancel')}</Button>
              <Button type="submit" look="primary" pending={pending}>
                {t('Add')}
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
    </Modal>
  )
}
