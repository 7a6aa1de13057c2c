import type { ChannelHearing } from '../listening/channel-hearing.ts'
import type { Ear } from '../listening/ear.ts'
import type { Entry, Ledger } from '../world/ledger.ts'
import type { Sights } from '../world/sight.ts'
import type { Findings } from './findings.ts'
import type { Stored, StoredMessage } from './stored.ts'

export interface HearingAudit {
  ledger: Pick<Ledger, 'entries'>
  sights: Sights
  stored: Stored
  findings: Findings
}

/** Everybody heard all that they should have, and what they made of it is what is stored. */
export function auditHearing(ears: readonly Ear[], audit: HearingAudit): void {
  const byChannel = Map.groupBy(audit.ledger.entries, ({ channelId }) => channelId)
  for (const ear of ears) {
    auditSight(ear, byChannel, audit)
    for (const [channelId, hearing] of ear.channels) {
      auditGaps(ear, channelId, hearing, audit)
      auditChanges(ear, hearing, byChannel.get(channelId) ?? [], audit)
    }
  }
}

/** Whoever could see a channel while a message was sent, and ever since, has heard it. */
function auditSight(
  { userId, channels, trace }: Ear,
  byChannel: ReadonlyMap<string, readonly Entry[]>,
  { sights, findings }: HearingAudit,
): void {
  for (const [channelId, entries] of byChannel) {
    if (sights.now(userId, channelId) !== 'yes') continue
    const since = sights.since(userId, channelId)
    const hearing = channels.get(channelId)
    const due = entries.filter(({ outcome, begunAt }) => outcome === 'acknowledged' && begunAt >= since)
    const unheard = due.filter((entry) => !wasTold(hearing, entry))
    if (unheard.length === 0) continue
    const { base, last, origin, toldAt } = hearing ?? {}
    const evidence = {
      userId,
      since,
      base,
      last,
      origin,
      toldAt,
      trace: trace.lines(),
      count: unheard.length,
    }
    findings.add('lost', 'somebody did not hear messages', { ...evidence, unheard: unheard.slice(0, 5) })
  }
}

/** By an event; or by a READY, which says that there were so many before. */
function wasTold(hearing: ChannelHearing | undefined, { seq = 0 }: Entry): boolean {
  if (hearing === undefined) return false
  return hearing.has(seq) || (hearing.origin === 'ready' && seq <= hearing.base)
}

/** From the seq that a client was told with the channel, up to the newest, there is no gap. */
function auditGaps(
  { userId, trace }: Ear,
  channelId: string,
  { missing, last, base, origin, toldAt }: ChannelHearing,
  { ledger, sights, stored, findings }: HearingAudit,
): void {
  const newest = stored.lastSeqs.get(channelId) ?? 0
  if (missing.size === 0 && last >= newest) return
  const unheard = ledger.entries.filter(
    ({ channelId: id, seq = 0 }) => id === channelId && (missing.has(seq) || seq > last),
  )
  const evidence = {
    userId,
    channelId,
    missing: [...missing].slice(0, 20),
    unheard: unheard.slice(0, 5),
    ...{ last, base, origin, toldAt, newest },
    sight: sights.history(userId, channelId).slice(-6),
    trace: trace.lines(),
  }
  findings.add('lost', 'somebody has a gap in a channel', evidence)
}

/** Edits, deletions and reactions: what a client knows of the messages that it heard. */
function auditChanges(
  { userId, trace }: Ear,
  hearing: ChannelHearing,
  entries: readonly Entry[],
  { stored, findings }: HearingAudit,
): void {
  for (const entry of entries) {
    const { id = '', seq = 0 } = entry
    const wasChanged = entry.edits.length > 0 || entry.deletion !== undefined || entry.reactions.size > 0
    if (seq <= hearing.base || !hearing.has(seq) || !(wasChanged || hearing.changes.has(id))) continue
    const known = describeKnown(hearing, entry)
    const there = describeStored(stored, stored.byId.get(id))
    if (known !== there)
      findings.add('diverged', 'a client knows a message as another than is stored', {
        userId,
        entry,
        known,
        stored: there,
        trace: trace.lines(),
      })
  }
}

const GONE = 'deleted'

function describeKnown({ changes }: ChannelHearing, { id = '', content }: Entry): string {
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
