import type { ComponentRow } from '@foyer/protocol/components'
import type { Embed } from '@foyer/protocol/embeds'
import type { Message, MessageInteraction, MessageReference } from '@foyer/protocol/messages'
import type { CallRecord } from '@foyer/protocol/voice'
import type { Place } from '#src/channels/place.ts'
import { discardUnshown, keepOrDiscard } from '#src/files/objects/actions.ts'
import type { FileRow } from '#src/files/objects/rows.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { Author } from './authors.ts'
import { emptyContents } from './contents.ts'
import { draftMessage } from './draft.ts'
import type { Mentions } from './mentions.ts'
import { type SendDeps, type Store, writeOrExplain } from './writing.ts'

/** A message posted by the server: a system message, a webhook's message, or a bot's answer. */
export interface Post {
  type?: number
  content?: string
  embeds?: readonly Embed[]
  components?: readonly ComponentRow[]
  flags?: number
  reference?: MessageReference
  /** A message of the same channel to refer to, in its published form. */
  reply?: Message
  mentions?: Mentions
  interaction?: MessageInteraction
  call?: CallRecord
  /** Makes retries safe: the author posts only one message with this nonce per channel within 24 hours. */
  nonce?: string
  /** Files already stored by the caller under the channel's tenant and channel and the author's id. */
  files?: readonly FileRow[]
}

/** The channel of a posted message, and the author that it shows. */
interface Sender {
  place: Place
  author: Author
  /** Replaces the message writer's usual way to store the message. */
  store?: Store | undefined
}

/**
 * Writes and publishes the message. The caller checks permissions.
 * @throws ApiError 404 if the channel was deleted; the files are then discarded
 */
export async function postMessage(
  deps: SendDeps,
  { store, ...to }: Sender,
  { type, reference, interaction, call, files = [], ...content }: Post,
): Promise<Message> {
  const contents = { ...emptyContents, ...content }
  const extras = {
    ...(type === undefined ? {} : { type }),
    ...(reference === undefined ? {} : { reference }),
    ...(interaction === undefined ? {} : { interaction }),
    ...(call === undefined ? {} : { call }),
  }
  const draft = draftMessage(deps.downloads, to, { contents, files }, extras)
  return keepOrDiscard(deps, files, async () => {
    const message: Message = JSON.parse(await writeOrExplain(deps, draft, store))
    const isRepeat = message.id !== draft.message.id
    if (isRepeat) await discardUnshown(deps.database, files)
    return message
  })
}

/** Like `postMessage`, but posts nothing if the channel, or an earlier message with the same nonce, was deleted. */
export async function postUnlessGone(deps: SendDeps, to: Sender, post: Post): Promise<void> {
  try {
    await postMessage(deps, to, post)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
  }
}
