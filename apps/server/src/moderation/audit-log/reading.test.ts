import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { AuditLogEntry, AuditLogQuery } from '@foyer/protocol/audit-log'
import { Capability } from '@foyer/protocol/capabilities'
import { firstIdAt, newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { eraseAccount } from '#src/people/accounts/erasure.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { join, makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { askByToken } from '#test/scenes/webhooks.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { sweepAuditLog } from './queries.ts'

const DAY_MS = 86_400_000

let server: TestServer
let owner: Person
let member: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  member = await createPerson(server, 'member')
})
after(() => server.close())
beforeEach(async () => {
  space = await makeSpace(owner, [member])
})

const list = (query: AuditLogQuery = {}) => owner.client.auditLog.list(space.id, query)
const actionsOf = (entries: readonly AuditLogEntry[]) => entries.map(({ action }) => action)

test('AUDIT-6: entries are listed newest first, in pages, with the users that they name', async () => {
  await member.client.members.updateMe(space.id, { nickname: 'Kim' })
  await owner.client.members.kick(space.id, member.id)
  const { entries, users } = await list()
  const all = ['member_kick', 'member_update', 'member_join', 'invite_create', 'space_create']
  assert.deepEqual(actionsOf(entries), all)
  assert.deepEqual(
    entries
      .map(({ id }) => id)
      .toSorted()
      .toReversed(),
    entries.map(({ id }) => id),
  )
  assert.deepEqual(new Set(users.map(({ id }) => id)), new Set([owner.id, member.id]))
  assert.equal(users.length, 2)
  assert.ok(!JSON.stringify(users).includes('@example.org'))
  const first = await list({ limit: 2 })
  const second = await list({ limit: 2, before_id: first.entries.at(-1)?.id ?? '' })
  assert.deepEqual([...actionsOf(first.entries), ...actionsOf(second.entries)], all.slice(0, 4))
})

test('AUDIT-6: entries are filtered by actor, action, target and time, one by one and together', async () => {
  const start = new Date().toISOString()
  await new Promise((resolve) => setTimeout(resolve, 5))
  await member.client.members.updateMe(space.id, { nickname: 'Kim' })
  await owner.client.members.update(space.id, member.id, { nickname: 'Lee' })
  await owner.client.members.update(space.id, owner.id, { nickname: 'Boss' })
  const count = async (query: AuditLogQuery) => (await list(query)).entries.length
  const byMember = { actor_id: member.id }
  const renamed = { action: 'member_update' } as const
  assert.deepEqual(actionsOf((await list(byMember)).entries), ['member_update', 'member_join'])
  assert.equal(await count(renamed), 3)
  assert.equal(await count({ target_id: member.id }), 3)
  assert.equal(await count({ ...byMember, ...renamed }), 1)
  assert.equal(await count({ ...renamed, target_id: member.id }), 2)
  assert.equal(await count({ actor_id: owner.id, ...renamed, target_id: member.id }), 1)
  assert.equal(await count({ after: start }), 3)
  assert.equal(await count({ before: start }), 3)
  assert.equal(await count({ after: start, ...byMember }), 1)
  assert.equal(await count({ actor_id: newId() }), 0)
})

test('AUDIT-6: a filter of another form is refused', async () => {
  const queries = [
    'actor_id=x',
    'action=x',
    'target_id=1',
    'after=yesterday',
    'before=1',
    'before_id=x',
    'limit=0',
  ]
  for (const query of [...queries, 'limit=101', 'limit=x', 'limit=1&limit=2']) {
    const answer = await owner.call('GET', `/api/spaces/${space.id}/audit-log?${query}`)
    assert.equal(answer.code, 'invalid_request', query)
  }
})

test('AUDIT-6: an entry of another space is none', async () => {
  const other = await makeSpace(owner)
  const [entry] = (await owner.client.auditLog.list(other.id)).entries
  for (const id of [entry?.id, newId()])
    assert.equal(
      (await owner.call('POST', `/api/spaces/${space.id}/audit-log/${id}/undo`)).code,
      'unknown_audit_log_entry',
    )
})

test('AUDIT-7: a webhook changes without an author, and a deleted account is named no longer', async () => {
  const guest = await createPerson(server, 'leaving')
  await join(guest, owner, space)
  await eraseAccount(server.deps, guest.id, { close: async () => undefined })
  const { entries, users } = await list()
  assert.deepEqual([entries[0]?.action, entries[0]?.actor_id], ['member_leave', guest.id])
  assert.ok(!JSON.stringify({ entries, users }).includes('leaving'))
  const webhook = await owner.client.webhooks.create(space.general, { name: 'hook' })
  await askByToken(server, webhook, { method: 'DELETE' })
  const [last] = (await list()).entries
  assert.deepEqual([last?.action, last?.actor_id], ['webhook_delete', null])
})

/** Inserts old entries without changes, one for each age. */
async function insertEntries(agesMs: readonly number[], spaceId = space.id): Promise<void> {
  const now = Date.now()
  const ids = agesMs.map((age) => firstIdAt(now - age))
  await server.deps.database.execute(sql`
    insert into audit_log (space_id, id, action, target_type, target_id)
    select ${spaceId}, id, 'space_update', 'space', ${spaceId} from unnest(${ids}::uuid[]) as id`)
}

test('AUDIT-8: the export has all entries that pass the filter, one on each line', async () => {
  await insertEntries(Array.from({ length: 2500 }, (_, index) => DAY_MS + index))
  const path = `/api/spaces/${space.id}/audit-log/export`
  const response = await fetch(server.url + path, { headers: owner.credentials })
  const text = await response.text()
  assert.equal(response.headers.get('content-type'), 'application/jsonl; charset=utf-8')
  assert.equal(response.headers.get('content-disposition'), 'attachment; filename="audit-log.jsonl"')
  assert.ok(text.endsWith('\n'))
  const lines = text.trimEnd().split('\n')
  assert.equal(lines.length, 2503)
  const ids = lines.map((line) => String(JSON.parse(line).id))
  assert.deepEqual(ids.toSorted().toReversed(), ids)
  const [newest] = (await list()).entries
  assert.deepEqual(JSON.parse(lines[0] ?? ''), newest)
  assert.deepEqual(
    (await owner.client.auditLog.export(space.id, { action: 'member_join' })).trimEnd().split('\n').length,
    1,
  )
  assert.equal(await owner.client.auditLog.export(space.id, { action: 'ban_create' }), '')
})

test('AUDIT-8: an export ends when its reader loses the right to it', async () => {
  await insertEntries(Array.from({ length: 50_000 }, (_, index) => DAY_MS + index))
  const role = await owner.client.roles.create(space.id, {
    name: 'auditors',
    capabilities: Capability.ViewAuditLog,
  })
  await owner.client.roles.assign(space.id, member.id, role.id)
  const path = `/api/spaces/${space.id}/audit-log/export`
  const response = await fetch(server.url + path, { headers: member.credentials })
  const reader = response.body?.getReader()
  await reader?.read()
  await owner.client.roles.remove(space.id, member.id, role.id)
  const drain = async () => {
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read());
  }
  await assert.rejects(drain())
})

test('AUDIT-9: entries are deleted after the days that the space keeps them, by default 90', async () => {
  const kept = await makeSpace(owner)
  const forEver = await makeSpace(owner)
  assert.equal((await owner.client.spaces.get(space.id)).audit_log_days, 90)
  await owner.client.spaces.update(kept.id, { audit_log_days: 7 })
  await owner.client.spaces.update(forEver.id, { audit_log_days: null })
  for (const { id } of [space, kept, forEver])
    await insertEntries([8 * DAY_MS, 89 * DAY_MS, 91 * DAY_MS, 5000 * DAY_MS], id)
  await sweepAuditLog(server.deps.database)
  const count = async ({ id }: TestSpace) =>
    (await owner.client.auditLog.list(id, { before: new Date(Date.now() - DAY_MS).toISOString() })).entries
      .length
  assert.deepEqual([await count(space), await count(kept), await count(forEver)], [2, 0, 4])
  assert.ok((await list()).entries.length > 0)
})

test('AUDIT-9: the owner and administrators choose 1 to 9999 days, or null for ever, in JSON and in a form', async () => {
  const path = `/api/spaces/${space.id}`
  const set = async (audit_log_days: unknown, caller = owner) => {
    const answer = await caller.call('PATCH', path, { audit_log_days })
    return answer.code ?? Object(answer.body).audit_log_days
  }
  for (const days of [1, 9999, null]) assert.equal(await set(days), days)
  for (const days of [0, -1, 10_000, 1.5, '7', [], 1e9]) assert.equal(await set(days), 'invalid_request')
  assert.equal(await set(7, member), 'cannot_manage_space')
  const form = async (text: string) => {
    const body = new FormData()
    body.set('audit_log_days', text)
    const answer = await owner.call('PATCH', path, body)
    return answer.code ?? Object(answer.body).audit_log_days
  }
  assert.deepEqual([await form('30'), await form('')], [30, null])
  for (const text of ['0', '10000', '1.5', 'x']) assert.equal(await form(text), 'invalid_request', text)
})
