import type { ComponentRow } from '@foyer/protocol/components'
import { type Embed, EmbedType } from '@foyer/protocol/embeds'
import { type AllowedMentions, type Message, MessageFlag, ReferenceType } from '@foyer/protocol/messages'
import type { RightFlags } from '@foyer/protocol/permissions'
import { type Place, roomOf } from '#src/channels/place.ts'
import type { DownloadSigner } from '#src/files/objects/signatures.ts'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { type ScreeningDeps, screen } from '#src/moderation/screening/actions/consequences.ts'
import { countMentions, textsOf, type Writer } from '#src/moderation/screening/written.ts'
import type { RoomAccess } from '#src/spaces/access.ts'
import { record } from '#src/spaces/actions/audit.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { publishChange } from './actions/changes.ts'
import { targetOf } from './audit-target.ts'
import { deleteMentions, type Edit, insertMentions, lockMessage, updateMessageRow } from './change-queries.ts'
import { resolveMentions } from './mentions.ts'
import { findRow } from './queries.ts'
import { findMessage } from './reading.ts'
import type { MessageRow } from './rows.ts'

export interface EditDeps extends ScreeningDeps {
  downloads: DownloadSigner
  snapshots: Snapshots
}

/** Fields to change. Omitted fields stay. */
export interface Change {
  content?: string | undefined
  flags?: number | undefined
  allowed?: AllowedMentions | null | undefined
  embeds?: readonly Embed[] | undefined
  components?: readonly ComponentRow[] | undefined
}

/** The channel of the message, and the editor's rights there. */
interface EditTarget extends RightFlags {
  place: Place
  /** The editor, whose text the space's rules check; null in a conversation, because it has no rules. */
  writer: Writer | null
  /** The moderator who edits another's message, for the audit log. */
  moderator?: RoomAccess | null
}

/**
 * Changes a message and publishes it. The caller checks permissions. New content is parsed for mentions again.
 * @throws ApiError 404 for a deleted message, 400 if nothing would be left of it, 403 if a rule of the space refuses it
 */
export async function editMessage(
  deps: EditDeps,
  at: EditTarget,
  messageId: string,
  change: Change,
): Promise<Message> {
  const before = await findRow(deps.database, at.place, messageId)
  if (before === undefined) throw new ApiError('unknown_message')
  const mentions = await mentionsAfter(deps, at, before, change)
  await screenChange(deps, at, change, mentions)
  return deps.database.transaction(async (transaction) => {
    const row = await lockMessage(transaction, at.place, messageId)
    if (row === undefined) throw new ApiError('unknown_message')
    const edit = { ...applied(row, change), ...mentions }
    // The first content of a deferred answer does not count as an edit.
    const isEdited = changesContent(change) && !isLoading(row)
    const changes = changesContent(change) || change.allowed !== undefined || edit.flags !== row.flags
    if (changes) await writeEdit(transaction, at.place, row, { edit, isEdited })
    if (changes && at.moderator)
      await record(transaction, at.moderator, 'message_update', {
        ...targetOf(at.place, row),
        before: row,
        after: { ...row, flags: edit.flags },
      })
    const edited = changes
      ? await publishChange(transaction, deps, at.place, messageId)
      : await findMessage({ ...deps, database: transaction }, at.place, messageId)
    if (edited === undefined) throw new ApiError('unknown_message')
    return edited
  })
}

/** Checks the new content. A stopped edit is refused, never held, because the message is already visible. */
async function screenChange(
  deps: EditDeps,
  { place, writer }: EditTarget,
  { content, embeds, components }: Change,
  {
    mention_ids: users = [],
    mention_role_ids: roleIds = [],
    mention_everyone: everyone = false,
  }: Partial<MentionColumns>,
): Promise<void> {
  const texts = textsOf({ content, embeds, components })
  const mentions = countMentions({ users, roleIds, everyone })
  if (writer === null || texts.length + mentions === 0) return
  const where = { spaceId: place.tenantId, roomId: roomOf(place), source: 'edit' } as const
  await screen(deps, { ...where, writer, texts, mentions })
}

type MentionColumns = Pick<Edit, 'mention_ids' | 'mention_role_ids' | 'mention_everyone'>

/** Returns the mentions of the edited text. A reply keeps mentioning its target's author if it did before. */
async function mentionsAfter(
  deps: EditDeps,
  at: EditTarget,
  row: MessageRow,
  { content, allowed }: Change,
): Promise<Partial<MentionColumns>> {
  if (content === undefined && allowed === undefined) return {}
  const repliedId = await findRepliedAuthor(deps.database, at.place, row)
  const isMentioned = repliedId !== undefined && (row.mention_ids ?? []).includes(repliedId)
  const text = { content: content ?? row.content, allowed, repliedId: isMentioned ? repliedId : undefined }
  const { users, roleIds, everyone } = await resolveMentions(deps, at, text)
  return {
    mention_ids: users.map(({ id }) => id),
    mention_role_ids: roleIds,
    mention_everyone: everyone,
  }
}

async function findRepliedAuthor(
  database: Database,
  place: Place,
  row: MessageRow,
): Promise<string | undefined> {
  if (row.reference_type !== ReferenceType.Reply || row.reference_message_id === null) return undefined
  const replied = await findRow(database, place, row.reference_message_id)
  return replied?.author_id
}

function applied(row: MessageRow, { content, flags, embeds, components }: Change): Edit {
  const edit = {
    content: content ?? row.content,
    flags: flagsAfter(row.flags, flags),
    mention_ids: row.mention_ids ?? [],
    mention_role_ids: row.mention_role_ids ?? [],
    mention_everyone: row.mention_everyone,
    embeds: embeds ?? row.embeds ?? [],
    components: components ?? row.components ?? [],
  }
  // Link previews belong to the old text, so they are removed.
  const own = edit.embeds.filter(({ type }) => type === EmbedType.Rich)
  const shown = own.length + edit.components.length
  if (row.snapshot !== null && (edit.content !== '' || shown > 0)) throw new ApiError('forward_has_more')
  const parts = (row.sticker_ids ?? []).length + shown
  const isBare = !row.has_files && row.snapshot === null && parts === 0
  if (edit.content === '' && isBare) throw new ApiError('empty_message')
  return edit
}

/**
 * Returns the flags after an edit: only SuppressEmbeds can change, and Loading ends.
 * @throws ApiError 400 for any other flag
 */
export function flagsAfter(flags: number, requested = flags): number {
  const { SuppressEmbeds, Loading } = MessageFlag
  if (requested & ~(flags | SuppressEmbeds))
    throw new ApiError('invalid_request', 'flags has bits that cannot be set')
  return (flags & ~SuppressEmbeds & ~Loading) | (requested & SuppressEmbeds)
}

function isLoading({ flags }: MessageRow): boolean {
  return (flags & MessageFlag.Loading) !== 0
}

function changesContent({ content, embeds, components }: Change): boolean {
  return content !== undefined || embeds !== undefined || components !== undefined
}

async function writeEdit(
  transaction: Transaction,
  place: Place,
  row: MessageRow,
  change: { edit: Edit; isEdited: boolean },
): Promise<void> {
  const { mention_ids, mention_role_ids, mention_everyone } = change.edit
  await deleteMentions(transaction, place, [row])
  await updateMessageRow(transaction, place, row.id, change)
  await insertMentions(transaction, place, {
    ...row,
    mention_ids: [...mention_ids],
    mention_role_ids: [...mention_role_ids],
    mention_everyone,
  })
}
