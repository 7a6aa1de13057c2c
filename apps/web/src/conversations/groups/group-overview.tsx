import type { Conversation } from '@foyer/protocol/conversations'
import { limits } from '@foyer/protocol/limits'
import { useState } from 'react'
import { TILE_CUT } from '#src/images/crop.ts'
import { ImageField } from '#src/images/image-field.tsx'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { SaveBar } from '#src/ui/dialogs/save-bar.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SubmitForm } from '#src/ui/fields/submit-form.tsx'
import { ConversationAvatar } from '../conversation-avatar.tsx'
import { conversationWords } from '../words.ts'
import { LeaveGroup } from './leave-group.tsx'

/** The icon and name of the group, which every member can change, and a button to leave it. */
export function GroupOverview({ conversation }: { conversation: Conversation }) {
  const { client, store } = useSession()
  const [leaving, setLeaving] = useState(false)

  async function saveIcon(icon: Blob | null) {
    store.adopt('CONVERSATION_UPDATE', await client.conversations.update(conversation.id, { icon }))
  }

  return (
    <>
      <ImageField
        label={t('Group icon')}
        hint={t('Shown to everyone in the group. Square, up to 10 MB.')}
        cut={TILE_CUT}
        preview={<ConversationAvatar conversation={conversation} size="lg" />}
        hasPicture={conversation.icon !== null}
        save={saveIcon}
      />
      <NameForm conversation={conversation} />
      <section className="danger-zone">
        <div className="settings-line">
          <p>
            <strong>{t('Leave group')}</strong>
            <span>{t('You’ll stop receiving messages and lose access to the history.')}</span>
          </p>
          <Button look="danger" onClick={() => setLeaving(true)}>
            {t('Leave group…')}
          </Button>
        </div>
      </section>
      {leaving && <LeaveGroup conversation={conversation} onClose={() => setLeaving(false)} />}
    </>
  )
}

function NameForm({ conversation }: { conversation: Conversation }) {
  const { client, store } = useSession()
  // Null until the user types, so that the field follows changes by others.
  const [typed, setTyped] = useState<string | null>(null)
  const name = typed ?? conversation.name ?? ''

  async function save() {
    const saved = await client.conversations.update(conversation.id, { name: name.trim() || null })
    store.adopt('CONVERSATION_UPDATE', saved)
    setTyped(null)
  }

  return (
    <SubmitForm fields={['name']} submit={save} words={conversationWords}>
      {(pending) => (
        <>
          <TextField
            name="name"
            label={t('Group name')}
            hint={t('Leave empty to use the members’ names.')}
            autoComplete="off"
            maxLength={limits.nameMax}
            value={name}
            onValueChange={setTyped}
          />
          <SaveBar
            isUnsaved={name.trim() !== (conversation.name ?? '')}
            pending={pending}
            onReset={() => setTyped(null)}
          />
        </>
      )}
    </SubmitForm>
  )
}
