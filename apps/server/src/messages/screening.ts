import type { CreateMessageBody } from '@foyer/protocol/messages'
import type { ChannelAccess } from '#src/channels/access.ts'
import { type Place, roomOf } from '#src/channels/place.ts'
import type { FileRow } from '#src/files/objects/rows.ts'
import {
  type Holding,
  hold,
  refuse,
  type ScreeningDeps,
  type Stop,
} from '#src/moderation/screening/actions/consequences.ts'
import type { HeldBeginning } from '#src/moderation/screening/held-queries.ts'
import { type Writer, type Written, writerOf, writtenPost } from '#src/moderation/screening/written.ts'
import type { Contents } from './contents.ts'

/** A message of a user, before it is written. */
export interface Unsent {
  readonly body: CreateMessageBody
  readonly contents: Contents
  /** Stored files of the message, with their descriptions. */
  readonly files: readonly FileRow[]
  /** The thread that begins with the message. */
  readonly begins?: HeldBeginning | undefined
}

/** Returns whether the space counts repeated texts. */
export async function countsRepeats(
  { screening }: ScreeningDeps,
  { room, place }: ChannelAccess,
): Promise<boolean> {
  return room !== null && screening.countsRepeats(place.tenantId)
}

/** Returns undefined for a message that no rule stops. Conversations have no rules. */
export async function findStop(
  { screening }: ScreeningDeps,
  { room, place }: ChannelAccess,
  { contents, files }: Unsent,
): Promise<Stop | undefined> {
  if (room === null || !(await screening.hasRules(place.tenantId))) return undefined
  const at = { spaceId: place.tenantId, ...roomAndThread(place), source: 'message' } as const
  const written = writtenPost(
    { ...at, writer: writerOf(room) },
    { ...contents, files, forwarded: contents.forward?.snapshot },
  )
  const caught = await screening.find(written)
  return caught && { caught, written }
}

/** Returns the room whose rules apply, and the thread. Rules of a room also apply in its threads. */
export function roomAndThread(place: Place): Pick<Written, 'roomId' | 'threadId'> {
  return { roomId: roomOf(place), threadId: place.parentId && place.channelId }
}

/** Refuses or holds the message, depending on the rule. */
export async function stopMessage(
  deps: ScreeningDeps,
  { caller }: ChannelAccess,
  stop: Stop,
  { body, contents, files, begins }: Unsent,
): Promise<Holding> {
  // A forward is refused, never held: its original may change before a moderator sees it.
  if (stop.caught.rule.action === 'refuse' || contents.forward !== null)
    return { error: await refuse(deps, stop), keepsFiles: false }
  const described = files.map(({ id, description }) => ({ id, description }))
  const upload = { ...body, attachment_ids: files.map(({ id }) => id), attachments: described }
  return hold(deps, stop, { author: caller.user, body: upload, begins })
}

/** Returns the editor, for the rules of the space; null in a conversation. */
export function editorOf({ room }: ChannelAccess): Writer | null {
  return room === null ? null : writerOf(room)
}
