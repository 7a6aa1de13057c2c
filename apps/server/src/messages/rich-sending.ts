import { Capability } from '@foyer/protocol/capabilities'
import { has } from '@foyer/protocol/permissions'
import type { ChannelAccess } from '#src/channels/access.ts'
import { isConversation, type Place } from '#src/channels/place.ts'
import { discardUnshown, keepOrDiscard, storeFiles } from '#src/files/objects/actions.ts'
import { copyFiles } from '#src/files/objects/copies.ts'
import { describeFiles, namesOfFiles } from '#src/files/objects/descriptions.ts'
import type { FileRow } from '#src/files/objects/rows.ts'
import { finishUploads } from '#src/files/objects/uploads.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { SpooledFile } from '#src/kernel/http/bodies/multipart.ts'
import type { HeldBeginning } from '#src/moderation/screening/held-queries.ts'
import { checkParts } from './content-rights.ts'
import { type Contents, isEmpty, readContents, type SendRequest } from './contents.ts'
import type { MessageExtras } from './draft.ts'
import { findMessage } from './reading.ts'
import { findStop, stopMessage, type Unsent } from './screening.ts'
import { checkTurn, inTurn } from './slow-mode.ts'
import { draftOf, explainUnwritten, findFirst, type SendDeps, type Store, write } from './writing.ts'

export interface Entry {
  /** Access at the time the whole request had arrived. */
  access: ChannelAccess
  /** Checks access again. Called after files are stored, which may take minutes. */
  enter: () => Promise<ChannelAccess>
  /** True for a message that a moderator has approved: no rule checks it again. */
  isApproved?: true
  /** Set for the first message of a thread, which does not exist yet. */
  begins?: Beginning
}

/** The thread that begins with a message. */
export interface Beginning {
  /** The room of the thread, to which files are uploaded: the thread's channel does not exist yet. */
  readonly uploadedTo: Place
  /** The thread as it is stored with the message, if the message is held. */
  readonly held: HeldBeginning
  /** Stores the message and its thread in one transaction. */
  readonly store: Store
}

/**
 * Sends a message that is more than plain text, or any message in a room with slow mode. A retry returns the message
 * already sent before any work is done.
 */
export async function sendRich(deps: SendDeps, entry: Entry, sent: SendRequest): Promise<string> {
  const nonce = sent.body.nonce ?? null
  const findRepeated = ({ place, caller }: ChannelAccess) =>
    findFirst(deps, { place, authorId: caller.user.id, nonce })
  const first = await findRepeated(entry.access)
  if (first !== undefined) return first
  try {
    return await sendOnce(deps, entry, sent)
  } catch (error) {
    if (isOfRule(error)) throw error
    // A simultaneous send may have taken the uploads or the last space for files.
    const repeated = await findRepeated(await entry.enter())
    if (repeated === undefined) throw error
    return repeated
  }
}

/** Returns true for a refusal by a rule. The rule may also have timed the author out, so access is not checked again. */
function isOfRule(error: unknown): boolean {
  return (
    error instanceof ApiError && ['automod_refused', 'held_for_review', 'too_many_held'].includes(error.code)
  )
}

async function sendOnce(deps: SendDeps, entry: Entry, { body, files }: SendRequest): Promise<string> {
  const { access, enter, isApproved, begins } = entry
  const contents = await readContents(deps, access, body)
  const uploadIds = body.attachment_ids ?? []
  const isBare = files.length + uploadIds.length === 0
  if (isBare && isEmpty(contents)) throw new ApiError('empty_message')
  const parts = {
    files: [...files, ...uploadIds, ...(contents.forward?.files ?? [])],
    embeds: contents.embeds,
  }
  checkParts(access, parts)
  await checkTurn(deps, access)
  const uploads = await finishUploads(deps, senderOf(entry), uploadIds)
  const stored = await storeAll(deps, entry, files, contents)
  const outcome = await keepOrDiscard(deps, stored, async () => {
    const all = describeFiles([...stored, ...uploads], namesOfFiles(files, uploadIds), body.attachments ?? [])
    const unsent = { body, contents, files: all, begins: begins?.held }
    const held = isApproved ? undefined : await holdIfStopped(deps, await enter(), unsent)
    if (held !== undefined) return { held }
    // Checked again, because the rules may have read large files.
    const now = await enter()
    checkParts(now, parts)
    const extras = all.length === 0 ? {} : await currentReply(deps, now, contents)
    const draft = draftOf(deps, now, { contents: shownIn(now, contents), files: all }, extras)
    return { written: await inTurn(deps, now, () => write(deps, draft, begins?.store)), draft }
  })
  if ('held' in outcome) throw outcome.held
  const { written, draft } = outcome
  if (written !== undefined) return written.json
  // A simultaneous send with the same nonce won and has its own files.
  await discardUnshown(deps.database, stored)
  return explainUnwritten(deps, { ...draft, fileIds: uploads.map(({ id }) => id) })
}

/**
 * Holds the message with its files, or refuses it, if a rule demands it.
 * @returns the answer for a held message; undefined if no rule stops the message
 * @throws ApiError 403 for a refused message
 */
async function holdIfStopped(
  deps: SendDeps,
  access: ChannelAccess,
  unsent: Unsent,
): Promise<ApiError | undefined> {
  const stop = await findStop(deps, access, unsent)
  if (stop === undefined) return undefined
  const { error, keepsFiles } = await stopMessage(deps, access, stop, unsent)
  if (!keepsFiles) throw error
  return error
}

/** Hides the link previews of a forwarded message, unless its sender may post previews here. */
function shownIn({ capabilities }: ChannelAccess, contents: Contents): Contents {
  const { forward } = contents
  if (forward === null || has(capabilities, Capability.EmbedLinks)) return contents
  return { ...contents, forward: { ...forward, snapshot: { ...forward.snapshot, embeds: [] } } }
}

/** Loads the replied message again: it may have changed or gone while files were stored. */
async function currentReply(
  deps: SendDeps,
  { place }: ChannelAccess,
  { reply }: Contents,
): Promise<MessageExtras> {
  if (reply === null) return {}
  return { referenced_message: (await findMessage(deps, place, reply.id)) ?? null }
}

function senderOf({ access: { place, caller }, begins }: Entry) {
  return { ...(begins?.uploadedTo ?? place), ownerId: caller.user.id }
}

/** Stores the request's files, or copies those of a forward: all or none. */
async function storeAll(
  deps: SendDeps,
  entry: Entry,
  files: readonly SpooledFile[],
  { forward }: Contents,
): Promise<FileRow[]> {
  const where = isConversation(entry.access.place) ? 'own' : 'bucket-or-own'
  const target = { ...senderOf(entry), purpose: 'message', where } as const
  if (forward !== null) return copyFiles(deps, target, forward.files)
  return storeFiles(deps, target, files)
}
