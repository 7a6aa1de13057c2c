import type { Installation } from '../installation/installation.ts'
import type { Recorder } from '../listening/recorder.ts'
import { passTurns } from '../load/announcer.ts'
import type { Announcing } from '../world/announcing.ts'
import type { Ledger } from '../world/ledger.ts'
import { freshClient } from '../world/people.ts'
import type { Sights } from '../world/sight.ts'
import type { World } from '../world/world.ts'
import { auditCopies } from './copies.ts'
import { auditDeliveries } from './deliveries.ts'
import type { Findings } from './findings.ts'
import { auditHistory, auditPages } from './history.ts'
import { readHistory, readStored } from './stored.ts'
import { auditThreads } from './threads.ts'
import { auditViews } from './views.ts'

/** Everything that a run requested, and that its clients received. */
export interface Observed {
  ledger: Ledger
  sights: Sights
  recorders: ReadonlyMap<string, Recorder>
  findings: Findings
}

/**
 * Compares the requests, and the events that clients received, with the stored data, and with the data that fresh clients read.
 * @returns the number of copies of announcements
 */
export async function auditAll(
  { postgres, url }: Pick<Installation, 'postgres' | 'url'>,
  { people, tenants, threads, announcing }: World & { announcing: Announcing },
  { ledger, sights, recorders, findings }: Observed,
): Promise<number> {
  const stored = await readStored(postgres.connection, announcing.targets)
  auditHistory(ledger, stored, findings)
  const ofThreads = [...threads.values()].map((tenant) => ({
    owner: tenant.owner,
    channels: tenant.threads(),
  }))
  const announced = { owner: announcing.author, channels: announcing.rooms }
  for (const { owner, channels } of [...tenants, ...ofThreads, announced]) {
    // This client retries, unlike the clients of the load, because a late page does not mean that messages are lost.
    const client = freshClient(url, owner)
    for (const channel of channels)
      auditPages(channel.id, await readHistory(client, channel), stored, findings)
  }
  auditDeliveries([...recorders.values()], { ledger, sights, stored, findings })
  await auditViews(url, people, recorders, findings)
  await auditThreads(url, people, recorders, { threads: ledger.threads, findings })
  const turns = () => passTurns(postgres.connection)
  const copies = { ledger, stored, findings, passTurns: turns }
  return auditCopies(announcing.follows, ({ person }) => freshClient(url, person), copies)
}
