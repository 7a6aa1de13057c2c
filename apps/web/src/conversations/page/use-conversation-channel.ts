import { CONVERSATION_CAPABILITIES } from '@foyer/protocol/capabilities'
import type { Conversation } from '@foyer/protocol/conversations'
import { Permission } from '@foyer/protocol/permissions'
import { holds } from '@foyer/protocol/rights'
import { useMemo } from 'react'
import { useLocation } from 'wouter'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import type { NeededRight } from '#src/permissions/rights.ts'
import { useAppState } from '#src/session/context.ts'
import { nameLookup } from '#src/store/selectors.ts'
import { personName } from '#src/store/users.ts'
import { conversationPath } from '../actions.ts'
import { isGroup, useConversationName, useOthers } from '../conversation-name.ts'

interface OpenConversation {
  readonly channel: OpenChannel
  /** The reason why the user cannot write, or null. The server does not reveal that the other user blocked them. */
  readonly silence: Silence | null
}

export interface Silence {
  readonly text: string
  /** The other user, if the user blocked them. */
  readonly blockedId: string | null
}

const MAY_VIEW = Permission.ViewChannels | Permission.PinMessages
const MAY_SEND = MAY_VIEW | Permission.SendMessages

export function useConversationChannel(conversation: Conversation): OpenConversation {
  const [, navigate] = useLocation()
  const users = useAppState((state) => state.users)
  const nameOf = useMemo(() => nameLookup(users, undefined, undefined), [users])
  const label = useConversationName(conversation)
  const silence = useSilence(conversation)
  const { id } = conversation
  const isSilent = silence !== null
  const channel = useMemo(() => {
    const path = conversationPath(id)
    const permissions = isSilent ? MAY_VIEW : MAY_SEND
    const rights = { permissions, capabilities: CONVERSATION_CAPABILITIES }
    return {
      address: { conversation: id },
      id,
      spaceId: null,
      label,
      path,
      rights,
      nameOf,
      may: (needed: NeededRight) => holds(rights, needed),
      jumpTo: (messageId: string) => navigate(`${path}/${messageId}`, { replace: true }),
    }
  }, [id, label, isSilent, nameOf, navigate])
  return { channel, silence }
}

function useSilence(conversation: Conversation): Silence | null {
  const [other] = useOthers(conversation)
  const isBlocked = useAppState(({ blocks }) => other !== undefined && other.id in blocks)
  return useMemo(() => {
    if (isGroup(conversation)) return null
    if (other === undefined || other.deleted_at !== null)
      return { text: t('This account was deleted. Your messages are still here.'), blockedId: null }
    if (!isBlocked) return null
    return {
      text: t('You blocked {name}.', { name: personName(other) }),
      blockedId: other.id,
    }
  }, [conversation, other, isBlocked])
}
