import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Announcements } from '@foyer/sdk/api/announcements'
import { connect } from '#test/gateway-client.ts'
import { type Processes, startProcesses } from '#test/processes/processes.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { createPerson } from '#test/scenes/people.ts'
import { withoutValkey } from '#test/valkey/valkey.ts'

describe('several processes', { skip: withoutValkey }, () => {
  let processes: Processes
  before(async () => {
    processes = await startProcesses()
  })
  after(() => processes.close())

  test('ANNOUNCE-1: an announcement reaches the people on every process', async () => {
    const [one, other] = processes.servers
    const [ada, eve] = [await createOperator(one, 'ada'), await createPerson(one, 'eve')]
    const gateways = [await connect(one, eve), await connect(other, eve), await connect(other, ada)]
    const made = await ada.client
      .api(Announcements)
      .create({ text: 'Everywhere', ends_at: new Date(Date.now() + 60_000).toISOString() })
    for (const gateway of gateways) {
      assert.deepEqual((await gateway.findEvent('ANNOUNCEMENTS_UPDATE')).d, { announcements: [made] })
      gateway.close()
    }
  })
})
