import type { ComponentRow } from '@foyer/protocol/components'
import type { Embed } from '@foyer/protocol/embeds'
import type { Message, MessageInteraction, MessageReference } from '@foyer/protocol/messages'
import type { CallRecord } from '@foyer/protocol/voice'
import type { Place } from '#src/channels/place.ts'
import { discardUnshown, keepOrDiscard } from '#src/files/actions.ts'
import type { FileRow } from '#src/files/rows.ts'
import type { Author } from './authors.ts'
import { nothingSaid } from './contents.ts'
import { draftMessage } from './draft.ts'
import type { Mentions } from './mentions.ts'
import { type SendDeps, writeOrExplain } from './sending.ts'

/** A message that the server posts for somebody: a notice, a webhook's, a bot's answer. */
export interface Post {
  type?: number
  content?: string
  embeds?: readonly Embed[]
  components?: readonly ComponentRow[]
  flags?: number
  reference?: MessageReference
  /** A message of the same place that it refers to, as it is read. */
  reply?: Message
  mentions?: Mentions
  interaction?: MessageInteraction
  call?: CallRecord
  /** Posted once under it by the same author within 24 hours, however often. */
  nonce?: string
  /** Stored already, by whoever posts, under the place's tenant and channel and the author's id. */
  files?: readonly FileRow[]
}

/**
 * Writes the message and tells of it. Whether the author may is the caller's to know.
 * @throws ApiError 404 when the room or the conversation is gone; then the files are discarded
 */
export async function postMessage(
  deps: SendDeps,
  to: { place: Place; author: Author },
  { type, reference, interaction, call, files = [], ...said }: Post,
): Promise<Message> {
  const contents = { ...nothingSaid, ...said }
  const circumstances = {
    ...(type === undefined ? {} : { type }),
    ...(reference === undefined ? {} : { reference }),
    ...(interaction === undefined ? {} : { interaction }),
    ...(call === undefined ? {} : { call }),
  }
  const draft = draftMessage(deps.downloads, to, { contents, files }, circumstances)
  return keepOrDiscard(deps, files, async () => {
    const message: Message = JSON.parse(await writeOrExplain(deps, draft))
    const isRepeat = message.id !== draft.message.id
    if (isRepeat) await discardUnshown(deps.database, files)
    return message
  })
}
