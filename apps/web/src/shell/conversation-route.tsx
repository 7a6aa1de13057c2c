import type { CurrentUser } from '@foyer/protocol/users'
import { Suspense, useEffect, useRef } from 'react'
import { t } from '#src/language/texts.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { EmptyPage } from './empty-page.tsx'
import { Missing } from './missing.tsx'
import { Shell } from './shell.tsx'

const ConversationPage = lazyComponent(() =>
  import('#src/conversations/page/conversation-page.tsx').then((module) => module.ConversationPage),
)

interface ConversationRouteProps {
  me: CurrentUser
  conversationId: string
  messageId: string | undefined
}

/** Route of `/conversations/…`, with an optional message. */
export function ConversationRoute({ me, conversationId, messageId }: ConversationRouteProps) {
  const conversation = useAppState((state) => state.conversations[conversationId])
  const wasHere = useFetched(conversationId)
  return (
    <Shell me={me} spaceId={null} roomId={null}>
      {(openDrawer) =>
        conversation === undefined ? (
          <Missing key={conversationId} openDrawer={openDrawer} mayArrive={!wasHere}>
            {t('This conversation is closed, or you’re no longer in it.')}
          </Missing>
        ) : (
          <Suspense fallback={<EmptyPage />}>
            <ConversationPage conversation={conversation} messageId={messageId} openDrawer={openDrawer} />
          </Suspense>
        )
      }
    </Shell>
  )
}

/**
 * Fetches a conversation that is not in the store: a closed direct conversation can still be opened by its URL.
 * @returns true if it was in the store before, which means that it was deleted
 */
function useFetched(conversationId: string): boolean {
  const { client, store } = useSession()
  const isHere = useAppState((state) => conversationId in state.conversations)
  const seenId = useRef<string | null>(null)

  useEffect(() => {
    if (isHere) seenId.current = conversationId
    if (isHere || seenId.current === conversationId) return
    const request = new AbortController()
    client.conversations.get(conversationId, { signal: request.signal }).then(
      (conversation) => store.adopt('CONVERSATION_CREATE', conversation),
      // The page then shows that the conversation does not exist.
      () => undefined,
    )
    return () => request.abort()
  }, [client, store, isHere, conversationId])

  return seenId.current === conversationId
}
