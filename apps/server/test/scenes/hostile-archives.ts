import assert from 'node:assert/strict'
import { sql } from '#src/kernel/sql/sql.ts'
import type { TestServer } from '../server.ts'
import { listTablesWith } from '../table-scan.ts'
import { awaitPurge } from './deleted-spaces.ts'
import type { Person } from './people.ts'
import { entriesOf, importSpace, withManifest, zipOf } from './space-archives.ts'

/** Tables whose rows may outlast a purge: the file sweep deletes rows after their objects, and events expire by age. */
const MARKED: readonly string[] = ['attachments', 'events', 'storage_buckets']

/** Imports an archive that must fail and leave nothing behind. Returns the code and message of the failure. */
export async function refusalOf(server: TestServer, person: Person, archive: Buffer): Promise<string> {
  const { state, failure, space_id, id } = await importSpace(person, archive)
  assert.deepEqual([state, space_id], ['failed', null])
  assert.deepEqual(await person.client.users.listSpaces(), [])
  await checkNothingLeft(server, person, id)
  return `${failure?.code}: ${failure?.message}`
}

async function checkNothingLeft(server: TestServer, person: Person, importId: string): Promise<void> {
  const { database } = server.deps
  const made = await database.execute<{ id: string; due: boolean }>(sql`
    select id, restorable_until <= now() as due from spaces where owner_id = ${person.id}`)
  for (const { id, due } of made) {
    assert.equal(due, true)
    await awaitPurge(server, id)
    const left = (await listTablesWith(server, [id])).filter((name) => !MARKED.includes(name))
    assert.deepEqual(left, [])
  }
  const kept = await database.execute(sql`
    select from attachments where tenant_id = ${importId} and state in ('reserved', 'stored', 'live')`)
  assert.equal(kept.length, 0)
}

/** Makes an archive with a matching manifest. */
export function archiveOf(
  space: unknown,
  messages: readonly unknown[] = [],
  others: Iterable<[string, Buffer | string]> = [],
): Promise<Buffer> {
  return zipOf(withManifest(entriesOf(space, messages, others)))
}
