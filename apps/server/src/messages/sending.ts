import { checkTakesMessages } from '#src/channels/message-rooms.ts'
import { checkSendRequest, emptyContents, isPlain, type SendRequest } from './contents.ts'
import { type Entry, sendRich } from './rich-sending.ts'
import { countsRepeats, findStop, stopMessage } from './screening.ts'
import { isSlowed } from './slow-mode.ts'
import { draftOf, findFirst, type SendDeps, writeOrExplain } from './writing.ts'

/**
 * Sends a message. If the author has used the nonce in this channel within 24 hours, sends nothing and returns the first
 * message, so that a retry never posts twice.
 * @returns the message as JSON
 */
export async function createMessage(deps: SendDeps, entry: Entry, sent: SendRequest): Promise<string> {
  const { access } = entry
  checkTakesMessages(access)
  checkSendRequest(sent, access.caller.user.is_bot)
  if (!isPlain(sent) || isSlowed(access) || entry.begins !== undefined) return sendRich(deps, entry, sent)
  const { content, nonce } = sent.body
  const contents = { ...emptyContents, content: content ?? '', nonce: nonce ?? null }
  const unsent = { body: sent.body, contents, files: [] }
  const findEarlier = () =>
    findFirst(deps, { place: access.place, authorId: access.caller.user.id, nonce: contents.nonce })
  // A retry must not count as a repeated text.
  const earlier = (await countsRepeats(deps, access)) ? await findEarlier() : undefined
  if (earlier !== undefined) return earlier
  const stop = entry.isApproved ? undefined : await findStop(deps, access, unsent)
  if (stop === undefined) return writeOrExplain(deps, draftOf(deps, access, unsent))
  // The message may have been sent before the rule existed.
  const first = await findEarlier()
  if (first === undefined) throw (await stopMessage(deps, access, stop, unsent)).error
  return first
}
