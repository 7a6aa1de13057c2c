import type { Conversation } from '@foyer/protocol/conversations'
import { ChannelPane } from '#src/channels/pane/channel-pane.tsx'
import { useBeside } from '#src/channels/pane/use-beside.ts'
import { t } from '#src/language/texts.ts'
import { ThreadSide } from '#src/messages/threads/thread-side.tsx'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Drawer } from '#src/ui/dialogs/drawer.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { useTitle } from '#src/unread/use-title.ts'
import { CallBar } from '#src/voice/calls/bar/call-bar.tsx'
import { ConversationAvatar } from '../conversation-avatar.tsx'
import { isGroup, useConversationName, useOthers } from '../conversation-name.ts'
import { ConversationHeader } from './conversation-header.tsx'
import { ConversationPeople } from './conversation-people.tsx'
import { type Silence, useConversationChannel } from './use-conversation-channel.ts'

interface ConversationPageProps {
  conversation: Conversation
  messageId?: string | undefined
  openDrawer: (() => void) | null
}

/** An open conversation. A group also shows its list of members. */
export function ConversationPage({ conversation, messageId, openDrawer }: ConversationPageProps) {
  const { channel, silence } = useConversationChannel(conversation)
  const { people, search } = useBeside(channel.id)
  const list = isGroup(conversation) ? (
    <ConversationPeople key={`people of ${conversation.id}`} conversation={conversation} />
  ) : null
  useTitle(channel.label)

  return (
    <>
      <section className="page" aria-label={channel.label}>
        <ConversationHeader
          channel={channel}
          conversation={conversation}
          openDrawer={openDrawer}
          search={search}
          showsPeople={people.isShown}
          onTogglePeople={people.toggle}
        />
        <CallBar key={`call in ${conversation.id}`} conversation={conversation} />
        <ChannelPane
          key={conversation.id}
          channel={channel}
          beginning={<Beginning conversation={conversation} />}
          denied={silence === null ? null : <Silenced silence={silence} />}
          messageId={messageId}
        />
      </section>
      {people.isBeside && list}
      <ThreadSide key={channel.id} channel={channel} />
      {!people.hasRoom && list !== null && (
        <Drawer open={people.isDrawn} onOpenChange={people.setIsDrawn} side="end" label={t('People')}>
          {list}
        </Drawer>
      )}
    </>
  )
}

/** Shown above the first message. */
function Beginning({ conversation }: { conversation: Conversation }) {
  const name = useConversationName(conversation)
  const [other] = useOthers(conversation)
  const isEmpty = conversation.last_seq === 0
  return (
    <>
      <ConversationAvatar conversation={conversation} size="lg" />
      <h2>
        <bdi>{name}</bdi>
      </h2>
      <p>
        {isGroup(conversation)
          ? t('This is the beginning of the {name} group.', { name })
          : t('This is the beginning of your direct messages with {name}.', {
              name: other === undefined ? name : `@${other.username}`,
            })}
        {isEmpty && ` ${t('Say hello!')}`}
      </p>
    </>
  )
}

/** Replaces the composer. */
function Silenced({ silence: { text, blockedId } }: { silence: Silence }) {
  const { friends } = useSession().client
  const { pending, error, run } = useAction()
  return (
    <>
      {text}{' '}
      {blockedId !== null && (
        <Button look="text" pending={pending} onClick={() => run(() => friends.unblock(blockedId))}>
          {t('Unblock to send messages')}
        </Button>
      )}
      {error}
    </>
  )
}
