import type { ChannelRecord } from '../listening/channel-record.ts'
import type { Recorder } from '../listening/recorder.ts'
import type { Entry, Ledger } from '../world/ledger.ts'
import type { Sights } from '../world/sight.ts'
import type { Findings } from './findings.ts'
import type { Stored, StoredMessage } from './stored.ts'

export interface DeliveryAudit {
  ledger: Ledger
  sights: Sights
  stored: Stored
  findings: Findings
}

/** Checks that every client received all messages it should, and that they match the stored messages. */
export function auditDeliveries(recorders: readonly Recorder[], audit: DeliveryAudit): void {
  const byChannel = Map.groupBy(audit.ledger.entries, ({ channelId }) => channelId)
  for (const recorder of recorders) {
    auditSight(recorder, byChannel, audit)
    for (const [channelId, record] of recorder.channels) {
      auditGaps(recorder, channelId, record, audit)
      auditChanges(recorder, record, byChannel.get(channelId) ?? [], audit)
    }
  }
}

/** Checks that clients received every message sent since they could see the channel, or the room of the thread. */
function auditSight(
  recorder: Recorder,
  byChannel: ReadonlyMap<string, readonly Entry[]>,
  { ledger, sights, findings }: DeliveryAudit,
): void {
  const { userId, channels, trace } = recorder
  for (const [channelId, entries] of byChannel) {
    const [{ roomId } = { roomId: '' }] = entries
    if (ledger.threads.isLeaving(channelId) || sights.now(userId, roomId) !== 'yes') continue
    const since = Math.max(sights.since(userId, roomId), knownSince(recorder, channelId, roomId))
    const record = channels.get(channelId)
    const due = entries.filter(({ outcome, begunAt }) => outcome === 'acknowledged' && begunAt >= since)
    const undelivered = due.filter((entry) => !wasDelivered(record, entry))
    if (undelivered.length === 0) continue
    const { base, last, origin, announcedAt } = record ?? {}
    const evidence = {
      userId,
      since,
      base,
      last,
      origin,
      announcedAt,
      trace: trace.lines(),
      count: undelivered.length,
    }
    findings.add('lost', 'a client did not receive messages', {
      ...evidence,
      undelivered: undelivered.slice(0, 5),
    })
  }
}

/** Returns the time since which the client receives messages of a thread: since it received the room, if it asks for threads. */
function knownSince({ threads }: Recorder, channelId: string, roomId: string): number {
  if (channelId === roomId) return 0
  const since = threads.hears(roomId) ? threads.view.rooms.get(roomId) : undefined
  return since ?? Number.POSITIVE_INFINITY
}

/** Returns true if the client received the message in an event, or if a READY with a later seq covers it. */
function wasDelivered(record: ChannelRecord | undefined, { seq = 0 }: Entry): boolean {
  if (record === undefined) return false
  return record.has(seq) || (record.origin === 'ready' && seq <= record.base)
}

/** Checks for gaps between the seq announced with the channel and the newest one. */
function auditGaps(
  { userId, trace }: Recorder,
  channelId: string,
  { missing, last, base, origin, announcedAt }: ChannelRecord,
  { ledger, sights, stored, findings }: DeliveryAudit,
): void {
  const newest = stored.lastSeqs.get(channelId) ?? 0
  if (missing.size === 0 && last >= newest) return
  const undelivered = ledger.entries.filter(
    ({ channelId: id, seq = 0 }) => id === channelId && (missing.has(seq) || seq > last),
  )
  const evidence = {
    userId,
    channelId,
    missing: [...missing].slice(0, 20),
    undelivered: undelivered.slice(0, 5),
    ...{ last, base, origin, announcedAt, newest },
    sight: sights.history(userId, channelId).slice(-6),
    trace: trace.lines(),
  }
  findings.add('lost', 'a client has a gap in a channel', evidence)
}

/** Compares edits, deletions and reactions of received messages with the stored ones. */
function auditChanges(
  { userId, trace }: Recorder,
  record: ChannelRecord,
  entries: readonly Entry[],
  { ledger, stored, findings }: DeliveryAudit,
): void {
  for (const entry of entries) {
    const { id = '', seq = 0 } = entry
    if (ledger.mayHaveMoved(entry) || ledger.isDoomed(entry)) continue
    const wasChanged = entry.edits.length > 0 || entry.deletion !== undefined || entry.reactions.size > 0
    if (seq <= record.base || !record.has(seq) || !(wasChanged || record.changes.has(id))) continue
    const known = describeKnown(record, entry)
    const there = describeStored(stored, stored.byId.get(id))
    if (known !== there)
      findings.add('diverged', 'the message of a client differs from the stored one', {
        userId,
        entry,
        known,
        stored: there,
        trace: trace.lines(),
      })
  }
}

const GONE = 'deleted'

function describeKnown({ changes }: ChannelRecord, { id = '', content }: Entry): string {
  const change = changes.get(id)
  if (change?.isDeleted === true) return GONE
  const reactions = [...(change?.reactions ?? [])].flatMap(([emoji, users]) =>
    [...users].map((userId) => `${emoji} ${userId}`),
  )
  return describe(change?.content ?? content, reactions)
}

function describeStored({ reactions }: Stored, row: StoredMessage | undefined): string {
  return row === undefined ? GONE : describe(row.content, [...(reactions.get(row.id) ?? [])])
}

function describe(content: string, reactions: readonly string[]): string {
  return [content, ...reactions.toSorted()].join(' | ')
}
