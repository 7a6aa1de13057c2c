import { ReferenceType } from '@foyer/protocol/messages'
import { useMemo } from 'react'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { asSent, type Named } from '#src/mentions/named-text.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { type Draft, draftKeyOf, emptyDraft } from '#src/store/draft.ts'
import type { SendOptions } from '#src/store/state.ts'
import { useSpaceEmojis } from './use-space-emojis.ts'

/** What is being written in the channel. */
export interface WrittenDraft {
  readonly draft: Draft
  /** As it would be sent. */
  readonly written: string
  change(change: Partial<Draft>): void
  /** Has a name in the text stand for something. */
  name(named: Named): void
}

export function useDraft(channel: OpenChannel): WrittenDraft {
  const { store } = useSession()
  const key = draftKeyOf(channel)
  const draft = useAppState((state) => state.drafts[key] ?? emptyDraft)
  const emojis = useSpaceEmojis(channel.spaceId)
  const { content, named } = draft
  const written = useMemo(() => asSent(content, named, emojis).trim(), [content, named, emojis])
  const change = (changed: Partial<Draft>) => store.dispatch('draft_changed', { channel_id: key, ...changed })
  const name = (added: Named) =>
    change({ named: { ...(store.get().drafts[key] ?? emptyDraft).named, ...added } })
  return { draft, written, change, name }
}

/** What is answered, and whether its author is told. */
type AnsweredBy = Pick<NonNullable<Draft['reply']>, 'id' | 'mentions'> | null

/** What goes along with what is sent: what it answers, and whom it tells. */
export function sendOptions({ reply }: { reply: AnsweredBy }, flags: number): SendOptions {
  return {
    ...(reply !== null && { reference: { type: ReferenceType.Reply, message_id: reply.id } }),
    // Naming one thing would silence all others: whom the text names is told.
    ...(reply?.mentions === false && {
      allowed_mentions: { parse: ['users', 'roles', 'everyone'], replied_user: false },
    }),
    ...(flags !== 0 && { flags }),
  }
}

const SILENT = /^@silent(?:\s+|$)/

/** A message that begins so wakes nobody. */
export function withoutSilent(text: string): { text: string; isSilent: boolean } {
  return { text: text.replace(SILENT, ''), isSilent: SILENT.test(text) }
}
