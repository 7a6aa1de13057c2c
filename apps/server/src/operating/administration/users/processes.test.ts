import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CloseCode } from '@foyer/protocol/gateway'
import { Administration } from '@foyer/sdk/api/administration'
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

  test('OPERATOR-8: a lock ends the sessions on every process', async () => {
    const [one, other] = processes.servers
    const [ada, eve] = [await createOperator(one, 'ada'), await createPerson(one, 'eve')]
    const gateways = [await connect(one, eve), await connect(other, eve)]
    assert.equal((await eve.at(other).call('GET', '/api/users/@me')).status, 200)
    await ada.client.api(Administration).lockUser(eve.id)
    assert.equal((await eve.at(other).call('GET', '/api/users/@me')).status, 401)
    assert.deepEqual(await Promise.all(gateways.map(({ closed }) => closed)), [
      CloseCode.SessionEnded,
      CloseCode.SessionEnded,
    ])
  })

  test('REGISTRATION-1: a change of the rules applies on every process at once', async () => {
    const [one, other] = processes.servers
    const eve = await createOperator(one, 'gil')
    assert.equal((await eve.at(other).client.instance.get()).registration.mode, 'open')
    await eve.client.api(Administration).updateRegistration({ mode: 'closed' })
    assert.equal((await eve.at(other).client.instance.get()).registration.mode, 'closed')
    await assert.rejects(other.signUp('late'), { code: 'registration_closed' })
  })
})
