import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect } from '#test/gateway-client.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
})
after(() => server.close())

/** Inserted directly, with the same result as adding them one by one. */
async function addEmojis(spaceId: string, count: number): Promise<void> {
  await server.deps.database.execute(sql`
    insert into space_images (space_id, kind, id, name, attachment_id, creator_id, animated)
    select ${spaceId}, 'emoji', gen_random_uuid(), 'emoji_' || place, gen_random_uuid(), ${ada.id}, false
    from generate_series(1, ${count}::integer) as place`)
  // Drops everything cached of the space.
  await ada.client.spaces.update(spaceId, { name: `with ${count}` })
}

async function countInReady(): Promise<number> {
  const client = await connect(server, ada)
  const { d } = await client.findEvent('READY')
  client.close()
  return Object(d).spaces.length
}

test('GATEWAY-20: emojis and stickers count towards the size of READY', async () => {
  const [first, second] = [await makeSpace(ada), await makeSpace(ada)]
  await addEmojis(first.id, 19_000)
  await addEmojis(second.id, 19_000)
  assert.equal(await countInReady(), 2)
  await addEmojis((await makeSpace(ada)).id, 3000)
  assert.equal(await countInReady(), 2)
})
