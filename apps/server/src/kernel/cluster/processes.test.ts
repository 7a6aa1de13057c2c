import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { CloseCode } from '@foyer/protocol/gateway'
import { connect, type GatewayClient, identify, openSession, resume } from '#test/gateway-client.ts'
import { holdRead } from '#test/locks/held-read.ts'
import { type ChildServer, startChildServer } from '#test/processes/child-server.ts'
import { type Processes, startProcesses } from '#test/processes/processes.ts'
import { acquaint, makeDirect, say } from '#test/scenes/conversations.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { join, makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import type { TestServer } from '#test/server.ts'
import { openRelay } from '#test/valkey/relay.ts'
import { withoutValkey } from '#test/valkey/valkey.ts'
import { beatChannels } from './channels.ts'

const MAX_WAIT_MS = 60_000

describe('several processes', { skip: withoutValkey }, () => {
  let processes: Processes
  let one: TestServer
  let other: TestServer
  let ada: Person
  let eve: Person
  let space: TestSpace
  const open: GatewayClient[] = []
  let count = 0

  before(async () => {
    processes = await startProcesses()
    const [first, second] = processes.servers
    assert.ok(first && second)
    one = first
    other = second
    ada = await createPerson(one, 'ada')
    eve = await createPerson(one, 'eve')
    space = await makeSpace(ada, [eve])
  })
  afterEach(() => {
    for (const client of open.splice(0)) client.close()
  })
  after(() => processes.close())

  const keep = (client: GatewayClient) => {
    open.push(client)
    return client
  }
  const listen = async (server: TestServer, person: Person) => keep(await connect(server, person))
  const newKim = () => {
    count += 1
    return createPerson(one, `kim${count}`)
  }
  const send = async (person: Person, content: string) =>
    person.client.messages.create(space.general, { content })

  test('PROCESS-20: events of one process reach the connections of the other', async () => {
    const [here, there] = [await listen(one, eve), await listen(other, eve)]
    await send(ada, 'hello')
    await ada.client.spaces.update(space.id, { name: 'Coffee' })
    for (const client of [here, there]) {
      await client.findEvent('SPACE_UPDATE')
      // The first message of a room is put in order, and may arrive later.
      await client.findEvent('MESSAGE_CREATE')
      assert.deepEqual(contentsOf(client), ['hello'])
    }
    assert.equal(here.heard('MESSAGE_CREATE')[0]?.text, there.heard('MESSAGE_CREATE')[0]?.text)
  })

  test('PROCESS-21: messages that two processes write to one room are delivered in the order of seq, without a gap', async () => {
    const clients = [await listen(one, eve), await listen(other, eve), await listen(other, ada)]
    const [here, there] = [ada.client, ada.at(other).client]
    const sent = Array.from({ length: 150 }, (_, turn) => [
      here.messages.create(space.general, { content: `here ${turn}` }),
      there.messages.create(space.general, { content: `there ${turn}` }),
    ])
    const seqs = (await Promise.all(sent.flat())).map(({ seq }) => seq).toSorted((a, b) => a - b)
    for (const client of clients) {
      await until(() => seqsOf(client).length >= seqs.length, 'all were heard')
      assert.deepEqual(seqsOf(client), seqs)
    }
  })

  test('PROCESS-22: a user removed by one process receives nothing more from the other, and may do nothing there', async () => {
    for (let round = 0; round < 10; round += 1) {
      const kim = await newKim()
      await join(kim, ada, space)
      const his = await listen(other, kim)
      const answer = await kim.at(other).call('GET', `/api/rooms/${space.general}/messages`)
      assert.equal(answer.status, 200)
      await ada.client.members.kick(space.id, kim.id)
      await ada.at(other).client.messages.create(space.general, { content: `without kim ${round}` })
      await his.settle()
      assert.deepEqual(contentsOf(his), [])
      assert.equal((await kim.at(other).call('GET', `/api/rooms/${space.general}/messages`)).status, 403)
    }
  })

  test('PROCESS-22: a block and the end of a session apply in every process', async () => {
    const [ben, liz] = [await createPerson(one, 'ben'), await createPerson(one, 'liz')]
    await acquaint(one, [ben, liz])
    const { id } = await makeDirect(one, ben, liz)
    await say(ben.at(other), id, 'hello')
    await liz.client.friends.block(ben.id)
    const path = `/api/conversations/${id}/messages`
    await until(
      async () => (await ben.at(other).call('POST', path, { content: 'x' })).status === 403,
      'the block',
    )
    const session = await openSession(one, ben.id)
    const client = keep(await identify(other, session))
    await ben.call('DELETE', `/api/auth/sessions/${session.sessionId}`)
    assert.equal(await client.closed, CloseCode.SessionEnded)
  })

  test('PROCESS-23: any process resumes the clients of another', async () => {
    const identity = await openSession(one, eve.id)
    const client = keep(await identify(one, identity))
    await send(ada, 'before')
    await client.findEvent('MESSAGE_CREATE')
    const s = client.heard('MESSAGE_CREATE')[0]?.s ?? ''
    client.close()
    await send(ada, 'meanwhile')
    const again = keep(await resume(other, identity, s))
    assert.equal(contentsOf(again).at(-1), 'meanwhile')
    assert.equal(again.heard('RESUMED').length, 1)
  })

  test('PROCESS-24: events that a process committed before it was killed reach the others', async () => {
    const third: ChildServer = await startChildServer(processes.shared)
    const client = await listen(one, eve)
    const there = ada.at(third).client
    const sending = Array.from({ length: 400 }, (_, turn) =>
      there.messages.create(
        space.general,
        { content: `dying ${turn}` },
        { signal: AbortSignal.timeout(3000) },
      ),
    )
    const sent = Promise.allSettled(sending)
    await client.findEvent('MESSAGE_CREATE')
    await third.kill()
    await sent
    const seqs = await historyOf(ada, space)
    await until(() => seqsOf(client).at(-1) === seqs.at(-1), 'the last was heard')
    const heard = seqsOf(client)
    assert.deepEqual(heard, seqs.slice(-heard.length))
  })

  test('PROCESS-25: events published while a cut-off process comes back reach it', async (context) => {
    const relay = await openRelay(Number(new URL(processes.valkey.url).port))
    const third = await processes.start({ valkeyUrl: `redis://127.0.0.1:${relay.port}` })
    const hers = await listen(third, eve)
    const read = holdRead(context, third, 'select id, tenant_id, channel_id from events', 'behind')
    relay.cut()
    await read.asked
    await ada.client.spaces.update(space.id, { name: 'Cocoa' })
    relay.mend()
    const { valkey } = one.deps
    const [channel = ''] = beatChannels
    const countListeners = async () => (await valkey?.commands.pubsub('NUMSUB', valkey.name(channel)))?.[1]
    await until(async () => (await countListeners()) === 3, 'the third listens again')
    read.release()
    await hers.findEvent('SPACE_UPDATE')
    await third.close()
    relay.close()
  })

  test('PROCESS-25: a change without Valkey is acknowledged once all have had time to read it', async () => {
    await processes.valkey.kill()
    const began = performance.now()
    await ada.client.spaces.update(space.id, { name: 'Tea' })
    const tookMs = performance.now() - began
    await processes.valkey.start()
    await until(async () => (await isUp(one)) && (await isUp(other)), 'the processes are joined again')
    assert.ok(tookMs >= 1500, `${tookMs} ms`)
  })

  for (const [what, leave, comeBack] of [
    [
      'is killed and comes back empty',
      (them: Processes) => them.valkey.kill(),
      (them: Processes) => them.valkey.start(),
    ],
    [
      'hangs for a while',
      async (them: Processes) => them.valkey.pause(),
      async (them: Processes) => them.valkey.resume(),
    ],
  ] as const) {
    test(`PROCESS-25: processes receive each other’s events through the journal, and trust nothing old, while Valkey ${what}`, async () => {
      const kim = await newKim()
      await join(kim, ada, space)
      const [hers, his] = [await listen(other, eve), await listen(other, kim)]
      assert.equal((await kim.at(other).call('GET', `/api/rooms/${space.general}/messages`)).status, 200)
      await leave(processes)
      await send(ada, 'is anybody there?')
      await until(() => contentsOf(hers).length === 1, 'the message came')
      await ada.client.members.kick(space.id, kim.id)
      assert.equal((await kim.at(other).call('GET', `/api/rooms/${space.general}/messages`)).status, 403)
      await ada.at(other).client.messages.create(space.general, { content: 'without kim' })
      await comeBack(processes)
      await until(async () => (await isUp(one)) && (await isUp(other)), 'the processes are joined again')
      await send(ada, 'it is back')
      await until(() => contentsOf(hers).length === 3, 'all came')
      assert.deepEqual(contentsOf(hers), ['is anybody there?', 'without kim', 'it is back'])
      await his.settle()
      assert.ok(!contentsOf(his).includes('without kim') && !contentsOf(his).includes('it is back'))
    })
  }
})

function contentsOf(client: GatewayClient): string[] {
  return client.heard('MESSAGE_CREATE').map(({ d }) => `${Object(d).content}`)
}

function seqsOf(client: GatewayClient): number[] {
  return client.heard('MESSAGE_CREATE').map(({ d }) => Number(Object(d).seq))
}

async function historyOf({ client }: Person, { general }: TestSpace): Promise<number[]> {
  const seqs: number[] = []
  let before: string | undefined
  for (;;) {
    const page = await client.messages.list(general, {
      limit: 100,
      ...(before === undefined ? {} : { before }),
    })
    seqs.push(...page.map(({ seq }) => seq))
    const oldest = page.map(({ id }) => id).toSorted()[0]
    if (page.length < 100 || oldest === undefined) return seqs.toSorted((a, b) => a - b)
    before = oldest
  }
}

async function isUp({ deps }: TestServer): Promise<boolean> {
  return (await deps.metrics.registry.getSingleMetricAsString('foyer_cluster_up')).includes(
    'foyer_cluster_up 1',
  )
}

async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + MAX_WAIT_MS
  while (!(await holds())) {
    assert.ok(Date.now() < deadline, what)
    await sleep(20)
  }
}
