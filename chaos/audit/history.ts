import { type Entry, editIn, type Ledger } from '../world/ledger.ts'
import type { Findings } from './findings.ts'
import type { Stored, StoredMessage } from './stored.ts'

/** Checks that acknowledged messages are stored once, numbered without gaps, with the content last sent or edited. */
export function auditHistory(ledger: Ledger, stored: Stored, findings: Findings): void {
  const byNumber = new Map<number, StoredMessage>()
  for (const message of [...stored.messages.values()].flat()) {
    const entry = ledger.find(message.content)
    if (entry === undefined) findings.add('altered', 'a message is stored that was never sent', { message })
    else noteOnce(entry, message, byNumber, findings)
    if (entry !== undefined) auditPlace(ledger, entry, message, findings)
  }
  for (const entry of ledger.entries)
    if (byNumber.has(entry.number) || !ledger.isDoomed(entry))
      auditEntry(entry, byNumber.get(entry.number), findings)
  for (const entry of ledger.entries) auditReactions(entry, stored, byNumber.get(entry.number), findings)
  auditNumbers(ledger, stored, findings)
  if (stored.failedJobs > 0) findings.add('stuck', 'jobs failed for good', { jobs: stored.failedJobs })
}

/** Checks that history, read page by page, equals the stored messages. */
export function auditPages(
  channelId: string,
  pages: readonly StoredMessage[],
  stored: Stored,
  findings: Findings,
): void {
  const rows = stored.messages.get(channelId) ?? []
  const listed = new Map(pages.map((message) => [message.id, message]))
  if (listed.size !== pages.length) findings.add('doubled', 'history lists a message twice', { channelId })
  for (const row of rows) {
    const message = listed.get(row.id)
    if (message === undefined) findings.add('lost', 'history omits a message', { row })
    else if (message.seq !== row.seq || message.content !== row.content)
      findings.add('altered', 'history differs from the stored message', { row, message })
  }
  if (listed.size > rows.length)
    findings.add('altered', 'history has messages that are not stored', { channelId })
}

function noteOnce(
  entry: Entry,
  message: StoredMessage,
  byNumber: Map<number, StoredMessage>,
  findings: Findings,
): void {
  const other = byNumber.get(entry.number)
  if (other !== undefined) findings.add('doubled', 'a message is stored twice', { entry, message, other })
  byNumber.set(entry.number, message)
}

function auditPlace(ledger: Ledger, entry: Entry, message: StoredMessage, findings: Findings): void {
  const isUnseen = entry.channelId === '' && entry.outcome !== 'acknowledged'
  const isThere = isUnseen || ledger.homesOf(entry).includes(message.channelId)
  if (!isThere || message.authorId !== entry.authorId)
    findings.add('altered', 'a message is stored in another channel, or by another author', {
      entry,
      message,
    })
  const seq = entry.seqs.get(message.channelId) ?? message.seq
  if (entry.id !== undefined && (entry.id !== message.id || seq !== message.seq))
    findings.add('doubled', 'a message is stored under another id or number', { entry, message })
}

function auditEntry(entry: Entry, message: StoredMessage | undefined, findings: Findings): void {
  if (message === undefined) {
    if (entry.outcome === 'acknowledged' && entry.deletion === undefined)
      findings.add('lost', 'an acknowledged message is not stored', { entry })
    return
  }
  if (entry.deletion === 'acknowledged')
    findings.add('lost', 'an acknowledged deletion is not stored', { entry, message })
  if (!isAsAsked(entry, message.content))
    findings.add('lost', 'a message does not have its last content', { entry, message })
}

/** Returns true for the content of the last answered edit, or of a later edit without an answer. */
function isAsAsked(entry: Entry, content: string): boolean {
  const edit = editIn(content)
  if (edit === undefined) return content === entry.content && entry.ackedEdit === undefined
  const isAsked = edit < entry.edits.length
  return isAsked && (entry.hasDoubtfulEdit || edit >= (entry.ackedEdit ?? 0))
}

function auditReactions(
  entry: Entry,
  stored: Stored,
  message: StoredMessage | undefined,
  findings: Findings,
): void {
  if (message === undefined) return
  const there = stored.reactions.get(message.id)
  for (const [key, { isOn, isSure }] of entry.reactions)
    if (isSure && there?.has(key) !== isOn && (isOn || there?.has(key) === true))
      findings.add('lost', 'an acknowledged reaction is not stored', { entry, key, isOn })
}

/**
 * Checks that each channel counts from 1 to its last message, and that missing numbers belong to messages that were deleted or
 * moved away. Gaps are ignored in threads that received moved messages, because not all numbers in them are known.
 */
function auditNumbers(ledger: Ledger, stored: Stored, findings: Findings): void {
  const away = Map.groupBy(
    ledger.entries.filter((entry) => entry.deletion !== undefined || ledger.mayHaveMoved(entry)),
    ({ channelId }) => channelId,
  )
  for (const [channelId, lastSeq] of stored.lastSeqs) {
    if (ledger.threads.isLeaving(channelId)) continue
    const seqs = (stored.messages.get(channelId) ?? []).map(({ seq }) => seq)
    const known = new Set([...seqs, ...(away.get(channelId) ?? []).map(({ seq = 0 }) => seq)])
    const gaps = Array.from({ length: lastSeq }, (_, index) => index + 1).filter((seq) => !known.has(seq))
    if (gaps.length > 0 && !ledger.threads.hasReceived(channelId))
      findings.add('lost', 'a channel has numbers without messages', {
        channelId,
        lastSeq,
        gaps: gaps.slice(0, 20),
      })
    if (new Set(seqs).size !== seqs.length)
      findings.add('doubled', 'a channel has a number twice', { channelId })
    const most = Math.max(0, ...seqs.slice(-1))
    if (most > lastSeq)
      findings.add('altered', 'a channel has a number past its last', { channelId, lastSeq, most })
  }
}
