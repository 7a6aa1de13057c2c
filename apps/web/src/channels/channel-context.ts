import type { ChannelAddress } from '@foyer/sdk/channel-path'
import { createContext, useContext } from 'react'
import type { PermissionFlag } from '#src/permissions/rights.ts'
import type { NameLookup } from '#src/store/selectors.ts'

/** The room or the conversation that is open. What shows or changes its messages asks this, not which of the two it is. */
export interface OpenChannel {
  /** As requests name it. */
  readonly address: ChannelAddress
  readonly id: string
  /** Of the thread, where its messages are shown and written, and not the whole channel's. */
  readonly threadId?: string
  /** Null in a conversation. */
  readonly spaceId: string | null
  /** As people speak of it: `#general`, or who is in the conversation. */
  readonly label: string
  /** Of its page; a message's is below it. */
  readonly path: string
  /** Bits of `Permission` that the reader has there. */
  readonly permissions: number
  /** What people are called there. */
  readonly nameOf: NameLookup
  may(flag: PermissionFlag): boolean
  /** Brings a message before the reader's eyes, however long ago it was sent. */
  jumpTo(messageId: string): void
}

export const ChannelContext = createContext<OpenChannel | null>(null)

export function useChannel(): OpenChannel {
  const channel = useContext(ChannelContext)
  if (channel === null) throw new Error('there is no channel around this component')
  return channel
}
