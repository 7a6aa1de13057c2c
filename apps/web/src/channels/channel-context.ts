import type { Message } from '@foyer/protocol/messages'
import type { RightFlags } from '@foyer/protocol/permissions'
import type { ChannelAddress } from '@foyer/sdk/channel-path'
import { createContext, useContext } from 'react'
import type { NeededRight } from '#src/permissions/rights.ts'
import type { NameLookup } from '#src/store/selectors.ts'

/** The open room or conversation. Components for messages do not depend on which of the two it is. */
export interface OpenChannel {
  /** Address in requests. */
  readonly address: ChannelAddress
  readonly id: string
  /** Id of the thread, if only its messages are shown. */
  readonly threadId?: string
  /** Null in a conversation. */
  readonly spaceId: string | null
  /** Name shown to users: `#general`, or the members of the conversation. */
  readonly label: string
  /** Path of its page, and prefix of the paths of its messages. */
  readonly path: string
  /** Path to return to once the message in the URL has been shown: of the thread beside the room, or else `path`. */
  readonly home?: string | undefined
  /** Permissions of the user in the channel. */
  readonly rights: RightFlags
  /** Returns the display name of a user in the channel. */
  readonly nameOf: NameLookup
  may(needed: NeededRight): boolean
  /** Scrolls to a message, which may be of any age. */
  jumpTo(messageId: string): void
  /** In a post, the action that marks a message as its answer, or removes the mark. */
  answering?(message: Message): { readonly label: string; run(): unknown } | null
}

export const ChannelContext = createContext<OpenChannel | null>(null)

export function useChannel(): OpenChannel {
  const channel = useContext(ChannelContext)
  if (channel === null) throw new Error('there is no channel around this component')
  return channel
}
