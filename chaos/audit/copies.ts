import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@foyer/sdk/client'
import type { Follow } from '../world/announcing.ts'
import type { Ledger } from '../world/ledger.ts'
import type { Findings } from './findings.ts'
import { readAll, type Stored, type StoredMessage } from './stored.ts'

const MAX_COPYING_MS = 90_000
const POLL_MS = 1000

/** A copy of an announcement, as the room of the copy shows it. */
export interface Copy {
  originalId: string
  seq: number
  content: string
}

interface CopyAudit {
  ledger: Ledger
  stored: Stored
  findings: Findings
  /** Skips the waiting times of the copying, so that all waiting messages are copied. */
  passTurns: () => Promise<void>
}

type Begun = Pick<Follow, 'webhookId' | 'source' | 'askedAt' | 'answeredAt'>
type Fault = [violation: 'lost' | 'doubled' | 'altered' | 'unordered', what: string]
type Complaint = [...Fault, evidence: Record<string, unknown>]

/**
 * Checks that each follow has one copy of each message since it began, with the current content, in the order of the messages.
 * @returns the number of copies
 */
export async function auditCopies(
  follows: readonly Follow[],
  clientOf: (follow: Follow) => Client,
  { passTurns, findings, ...known }: CopyAudit,
): Promise<number> {
  const until = performance.now() + MAX_COPYING_MS
  let count = 0
  for (const follow of follows) {
    const audit = async () => {
      const copies = await readCopies(clientOf(follow), follow)
      return { copies, complaints: compareCopies(follow, copies, known) }
    }
    let found = await audit()
    while (found.complaints.length > 0 && performance.now() < until) {
      await passTurns()
      await sleep(POLL_MS)
      found = await audit()
    }
    for (const complaint of found.complaints) findings.add(...complaint)
    count += found.copies.length
  }
  return count
}

async function readCopies(client: Client, { webhookId, targetId }: Follow): Promise<Copy[]> {
  const messages = await readAll(client, targetId)
  return messages
    .filter(({ webhook_id }) => webhook_id === webhookId)
    .map(({ copy_of, seq, content }) => ({ originalId: copy_of?.message_id ?? '', seq, content }))
}

/** Compares the copies of a follow, in their order, with the stored messages of the followed room. */
export function compareCopies(
  { webhookId, source, askedAt, answeredAt }: Begun,
  copies: readonly Copy[],
  { ledger, stored }: { ledger: Ledger; stored: Pick<Stored, 'messages'> },
): Complaint[] {
  const byOriginal = Map.groupBy(copies, ({ originalId }) => originalId)
  const originals = stored.messages.get(source.id) ?? []
  const complaints = originals.flatMap((original) => {
    const [copy, twin] = byOriginal.get(original.id) ?? []
    const { begunAt = 0, ackedAt = Number.POSITIVE_INFINITY } = ledger.find(original.content) ?? {}
    const evidence = { webhookId, original, copy }
    const when = { isDue: begunAt > answeredAt, isBefore: ackedAt < askedAt }
    return faultsOf(original, [copy, twin], when).map((fault): Complaint => [...fault, evidence])
  })
  const there = new Map(originals.map(({ id, seq }) => [id, seq]))
  const stray = copies.filter(({ originalId }) => !there.has(originalId))
  if (stray.length > 0)
    complaints.push(['lost', 'the deletion of a message did not reach a copy', { webhookId, stray }])
  const order = copies.flatMap(({ originalId }) => there.get(originalId) ?? [])
  if (order.some((seq, index) => seq < (order[index - 1] ?? 0)))
    complaints.push(['unordered', 'copies are not in the order of their messages', { webhookId, order }])
  return complaints
}

function faultsOf(
  { content }: StoredMessage,
  [copy, twin]: readonly (Copy | undefined)[],
  { isDue, isBefore }: { isDue: boolean; isBefore: boolean },
): Fault[] {
  if (copy === undefined) return isDue ? [['lost', 'a message has no copy']] : []
  const faults: Fault[] = []
  if (twin !== undefined) faults.push(['doubled', 'a message has two copies'])
  if (isBefore) faults.push(['altered', 'a message from before the follow has a copy'])
  if (copy.content !== content) faults.push(['altered', 'a copy differs from its message'])
  return faults
}
