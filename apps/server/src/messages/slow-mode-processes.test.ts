import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '#src/kernel/sql/sql.ts'
import { type Processes, startProcesses } from '#test/processes/processes.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { withoutValkey } from '#test/valkey/valkey.ts'

const SENDERS = 10
const DURATION_MS = 5_500

let processes: Processes

before(async () => {
  if (withoutValkey === false) processes = await startProcesses()
})
after(() => processes?.close())

test('SLOW-4: ten senders on two processes share the turns of their user', {
  skip: withoutValkey,
}, async () => {
  const [one, other] = processes.servers
  const [owner, ada] = [await createPerson(one, 'owner'), await createPerson(one, 'ada')]
  const space = await makeSpace(owner, [ada])
  await owner.client.rooms.update(space.id, space.general, { slow_mode_seconds: 1 })
  const end = Date.now() + DURATION_MS
  const statuses: number[] = []
  const sendAll = async (sender: Person) => {
    while (Date.now() < end) {
      const { status } = await sender.call('POST', `/api/rooms/${space.general}/messages`, { content: 'x' })
      statuses.push(status)
    }
  }
  const senders = Array.from({ length: SENDERS }, (_, index) => ada.at(index % 2 === 0 ? one : other))
  await Promise.all(senders.map(sendAll))
  const passed = statuses.filter((status) => status === 200).length
  // Six turns begin in 5.5 s. Waiting for a sender may cost at most one of them.
  assert.ok(passed === 5 || passed === 6, `${passed} passed`)
  assert.ok(statuses.length > 10 * passed, 'most tries come too early')
  assert.equal(statuses.filter((status) => status === 429).length, statuses.length - passed)
  const [row] = await one.deps.database.query<{ count: number }>(
    sql`select count(*) from messages where channel_id = ${space.general}`,
  )
  assert.equal(row?.count, passed)
})
