import type { Conversation } from '@foyer/protocol/conversations'
import { useLocation } from 'wouter'
import { t } from '#src/language/texts.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { closeConversation, conversationPath } from '../actions.ts'
import { useConversationName, useOthers } from '../conversation-name.ts'
import { conversationWords } from '../words.ts'

export function LeaveGroup({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const session = useSession()
  const [location, navigate] = useLocation()
  const name = useConversationName(conversation)
  const others = useOthers(conversation)
  const isOwner = useAppState((state) => state.me?.id === conversation.owner_id)

  async function leave() {
    await closeConversation(session, conversation)
    if (location.startsWith(conversationPath(conversation.id))) navigate('/home')
  }

  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={t('Leave {name}?', { name })}
      action={t('Leave group')}
      run={leave}
      words={conversationWords}
    >
      <p>
        {others.length === 0 &&
          t('You’re the only one in this group. Leaving deletes it and all its messages.')}
        {others.length > 0 && t('You’ll need someone to add you back.')}
        {others.length > 0 && isOwner && ` ${t('The longest-standing member becomes the owner.')}`}
      </p>
    </Confirm>
  )
}
