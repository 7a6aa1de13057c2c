import type {
  Announcement,
  CreateAnnouncementBody,
  UpdateAnnouncementBody,
} from '@foyer/protocol/announcements'
import { MAX_ANNOUNCEMENT_DAYS, MAX_ANNOUNCEMENTS } from '@foyer/protocol/limits'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { lockSettings } from '#src/kernel/database/server-settings.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { newId } from '#src/kernel/ids.ts'
import { cancelJob, enqueueAt } from '#src/kernel/jobs.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { holdOperator, type OperatorAccess } from '#src/operating/operators/access.ts'
import { logOperation } from '#src/operating/operators/log.ts'
import {
  type AnnouncementFields,
  deleteAnnouncement,
  findAnnouncement,
  insertAnnouncement,
  listAnnouncements,
  listCurrentAnnouncements,
  resolveTimes,
  saveAnnouncement,
} from './queries.ts'

/** The job that shows an announcement at its start. */
export const START_ANNOUNCEMENT = 'start_announcement'

const MAX_MS = MAX_ANNOUNCEMENT_DAYS * 86_400_000

interface Deps {
  database: Database
}

/** @throws ApiError 400 for invalid times, and at the limit of announcements */
export async function createAnnouncement(
  { database }: Deps,
  access: OperatorAccess,
  { kind = 'info', text, starts_at = null, ends_at }: CreateAnnouncementBody,
): Promise<Announcement> {
  return database.transaction(async (transaction) => {
    await holdOperator(transaction, access)
    await lockSettings(transaction)
    if ((await listAnnouncements(transaction)).length >= MAX_ANNOUNCEMENTS)
      throw new ApiError('too_many_announcements')
    const times = await fittingTimes(transaction, { starts_at, ends_at })
    const shown = await listCurrentAnnouncements(transaction)
    const made = await insertAnnouncement(transaction, { id: newId(), kind, text, ...times })
    await scheduleStart(transaction, made, times.now)
    await logOperation(transaction, access, {
      action: 'announcement_create',
      ...targetOf(made),
      details: fieldsOf(made),
    })
    await publishAnnouncements(transaction, shown)
    return made
  })
}

/**
 * Changes an announcement. Omitted fields stay unchanged.
 * @throws ApiError 404 for an ended announcement, 400 for invalid times
 */
export async function updateAnnouncement(
  { database }: Deps,
  access: OperatorAccess,
  id: string,
  changes: UpdateAnnouncementBody,
): Promise<Announcement> {
  return database.transaction(async (transaction) => {
    const before = await holdAnnouncement(transaction, access, id)
    const shown = await listCurrentAnnouncements(transaction)
    const wanted = { ...fieldsOf(before), ...changes }
    const isMoved = wanted.starts_at !== before.starts_at || wanted.ends_at !== before.ends_at
    const times = isMoved ? await movedTimes(transaction, before, wanted) : undefined
    const saved = await saveAnnouncement(transaction, { ...wanted, ...times, id })
    const details = { before: fieldsOf(before), after: fieldsOf(saved) }
    if (JSON.stringify(details.before) === JSON.stringify(details.after)) return before
    if (times !== undefined) await scheduleStart(transaction, saved, times.now)
    await logOperation(transaction, access, { action: 'announcement_update', ...targetOf(saved), details })
    await publishAnnouncements(transaction, shown)
    return saved
  })
}

/**
 * Ends an announcement early.
 * @throws ApiError 404 for an announcement that has ended
 */
export async function endAnnouncement({ database }: Deps, access: OperatorAccess, id: string): Promise<void> {
  await database.transaction(async (transaction) => {
    const ended = await holdAnnouncement(transaction, access, id)
    const shown = await listCurrentAnnouncements(transaction)
    await deleteAnnouncement(transaction, id)
    await cancelJob(transaction, startKey(id))
    await logOperation(transaction, access, {
      action: 'announcement_end',
      ...targetOf(ended),
      details: fieldsOf(ended),
    })
    await publishAnnouncements(transaction, shown)
  })
}

/** Shows an announcement at its start, unless it was ended or moved before. */
export async function startAnnouncement({ database }: Deps, id: string): Promise<void> {
  await database.transaction(async (transaction) => {
    await lockSettings(transaction)
    const current = await listCurrentAnnouncements(transaction)
    const others = current.filter((one) => one.id !== id)
    await publishAnnouncements(transaction, others)
  })
}

/** Checks access and finds the announcement. The lock serializes changes, so that the last event has the last state. */
async function holdAnnouncement(
  transaction: Transaction,
  access: OperatorAccess,
  id: string,
): Promise<Announcement> {
  await holdOperator(transaction, access)
  await lockSettings(transaction)
  const found = await findAnnouncement(transaction, id)
  if (found === undefined) throw new ApiError('unknown_announcement')
  return found
}

type Times = Pick<AnnouncementFields, 'starts_at' | 'ends_at'>

/** Returns the new times. An unchanged start stays, even if the announcement has begun. */
async function movedTimes(transaction: Queryable, before: Announcement, wanted: Times) {
  const { now, ...times } = await resolveTimes(transaction, wanted)
  const starts_at = wanted.starts_at === before.starts_at ? before.starts_at : times.starts_at
  return demandFit({ ...times, starts_at, now })
}

async function fittingTimes(transaction: Queryable, given: Times) {
  return demandFit(await resolveTimes(transaction, given))
}

/** @throws ApiError 400 unless the end is after the start and the present, within the limits */
function demandFit<T extends { starts_at: string; ends_at: string; now: string }>(times: T): T {
  const [start, end, now] = [times.starts_at, times.ends_at, times.now].map(Date.parse)
  if (start === undefined || end === undefined || now === undefined) throw new Error('times are missing')
  const fits = end > start && end > now && end - start <= MAX_MS && start - now <= MAX_MS
  if (!fits) throw new ApiError('invalid_announcement_times')
  return times
}

async function scheduleStart(
  transaction: Queryable,
  { id, starts_at }: Announcement,
  now: string,
): Promise<void> {
  if (Date.parse(starts_at) <= Date.parse(now)) return cancelJob(transaction, startKey(id))
  await enqueueAt(
    transaction,
    START_ANNOUNCEMENT,
    { announcement_id: id },
    { runAt: starts_at, key: startKey(id) },
  )
}

function startKey(id: string): string {
  return `${START_ANNOUNCEMENT}:${id}`
}

/** @param before the announcements visible until now: if they are unchanged, nothing is published */
async function publishAnnouncements(
  transaction: Transaction,
  before: readonly Announcement[],
): Promise<void> {
  const announcements = await listCurrentAnnouncements(transaction)
  if (JSON.stringify(announcements) === JSON.stringify(before)) return
  transaction.publish(event(topicOf.everybody(), 'ANNOUNCEMENTS_UPDATE', { announcements }))
}

function fieldsOf({ kind, text, starts_at, ends_at }: Announcement) {
  return { kind, text, starts_at, ends_at }
}

function targetOf({ id }: Announcement) {
  return { type: 'announcement', id } as const
}
