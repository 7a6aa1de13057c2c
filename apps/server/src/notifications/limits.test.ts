import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '#src/kernel/ids.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person

before(async () => {
  server = await startTestServer({ rateLimits: true })
  ada = await createPerson(server, 'ada')
})
after(() => server.close())

const pathOf = (id: string) => `/api/users/@me/notification-settings/room/${id}`

async function statusesOf(count: number, path: string): Promise<Set<number>> {
  const answers = await Promise.all(Array.from({ length: count }, () => ada.call('DELETE', path)))
  return new Set(answers.map(({ status }) => status))
}

test('RATE-2: the notification settings of each room count separately', async (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const [one, other] = [pathOf(newId()), pathOf(newId())]
  for (const path of [one, other]) {
    for (const half of [32, 32]) {
      context.mock.timers.tick(1000)
      assert.deepEqual(await statusesOf(half, path), new Set([404]), path)
    }
    assert.deepEqual(await statusesOf(1, path), new Set([429]), path)
  }
})
