import assert from 'node:assert/strict'
import { after, afterEach, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Opcode } from '@foyer/protocol/gateway'
import { Automod } from '@foyer/sdk/api/automod'
import { connect, type GatewayClient } from '#test/gateway-client.ts'
import { type Processes, startProcesses } from '#test/processes/processes.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { join, makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import type { TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'
import { openRelay, type Relay } from '#test/valkey/relay.ts'
import { withoutValkey } from '#test/valkey/valkey.ts'
import { newId } from '../ids.ts'
import type { Query } from '../sql/sql.ts'
import { listCutOff, saveCutOff } from './cut-off-queries.ts'

/** Longer than a silent process is followed for its silence alone. */
const LONG_MS = 61_000

describe('one process that cannot reach Valkey', { skip: withoutValkey }, () => {
  let processes: Processes
  let one: TestServer
  let other: TestServer
  let relay: Relay
  let ada: Person
  let space: TestSpace
  let count = 0
  const open: (GatewayClient | TestServer)[] = []

  before(async () => {
    processes = await startProcesses()
    ;[one, other] = processes.servers
    relay = await openRelay(Number(new URL(processes.valkey.url).port))
    ada = await createPerson(one, 'ada')
    space = await makeSpace(ada, [])
  })
  afterEach(async () => {
    for (const opened of open.splice(0)) await opened.close()
    relay.mend()
  })
  after(async () => {
    await processes.close()
    relay.close()
  })

  const keep = <T extends GatewayClient | TestServer>(opened: T): T => {
    open.unshift(opened)
    return opened
  }
  const startBehindRelay = async () =>
    keep(await processes.start({ valkeyUrl: `redis://127.0.0.1:${relay.port}` }))

  /** A process that others count as present: each process has answered from its caches. */
  async function joinKim(servers: readonly TestServer[]): Promise<Person> {
    count += 1
    const kim = await createPerson(one, `kim${count}`)
    await join(kim, ada, space)
    for (const server of servers) assert.equal(await read(kim, server), 200)
    return kim
  }

  const sayCutOff = (id: string) => saveCutOff(one.deps.database, { id, lost_since: Date.now() })

  const read = async (kim: Person, server: TestServer) =>
    (await kim.at(server).call('GET', `/api/rooms/${space.general}/messages`)).status

  async function assertHeeded(by: TestServer, at: TestServer): Promise<void> {
    const kim = await joinKim([by, at])
    const his = keep(await connect(at, kim))
    await ada.at(by).client.members.kick(space.id, kim.id)
    assert.equal(await read(kim, at), 403)
    await ada.at(at).client.messages.create(space.general, { content: 'without kim' })
    await his.settle()
    assert.deepEqual(his.heard('MESSAGE_CREATE'), [])
  }

  test('PROCESS-27: a process cut off from its start on and the others apply each other’s removals', async () => {
    relay.cut()
    const third = await startBehindRelay()
    await assertHeeded(third, other)
    await assertHeeded(other, third)
    const fourth = keep(await processes.start())
    await assertHeeded(third, fourth)
  })

  test('AUTOMOD-2: a rule applies at a process that is cut off once its change is acknowledged', async () => {
    relay.cut()
    const third = await startBehindRelay()
    const kim = await joinKim([one, third])
    const say = () =>
      kim.at(third).call('POST', `/api/rooms/${space.general}/messages`, { content: 'wombat' })
    assert.equal((await say()).status, 200)
    const trigger = { type: 'words' as const, words: ['wombat'] }
    await ada.at(one).client.api(Automod).createRule(space.id, { name: 'Animals', mode: 'on', trigger })
    assert.equal((await say()).code, 'automod_refused')
  })

  test('PROCESS-27: a process that could not read the journal before is reported as cut off, too', async (context) => {
    const third = await startBehindRelay()
    const read = failReads(context, third, 'select id, tenant_id, channel_id from events')
    const fourthId = newId()
    await sayCutOff(fourthId)
    await until(async () => !third.deps.bus.freshness.isHeld, 'it has fallen behind')
    relay.cut()
    await until(async () => !(await isUp(third)), 'it has noticed')
    read.mend()
    await until(async () => (await listCutOff(one.deps.database, fourthId)).length === 1, 'it says so')
  })

  test('PROCESS-27: removals apply after minutes, too, and nobody is disconnected on its return', async (context) => {
    const third = await startBehindRelay()
    relay.cut()
    await until(async () => !(await isUp(third)), 'it has noticed')
    await sleep(3000)
    pass(context, LONG_MS)
    await until(async () => (await isUp(one)) && (await isUp(other)), 'the others are joined again')
    // Not before: who is silent for minutes is sent away.
    const hers = keep(await connect(other, ada))
    await assertHeeded(third, other)
    await ada.at(third).client.messages.create(space.general, { content: 'is anybody there?' })
    await until(async () => contentsOf(hers).includes('is anybody there?'), 'it was heard')
    relay.mend()
    await until(() => isUp(third), 'it is joined again')
    await ada.at(third).client.messages.create(space.general, { content: 'back' })
    await until(async () => contentsOf(hers).includes('back'), 'it was heard')
    await hers.settle()
    assert.deepEqual(
      hers.frames.filter(({ op }) => op === Opcode.Reconnect),
      [],
    )
  })
})

/** Until they are mended, such reads of a process fail. */
function failReads(context: TestContext, { deps }: TestServer, statement: string) {
  const query = deps.database.query.bind(deps.database)
  const mocked = context.mock.method(deps.database, 'query', async (given: Query) => {
    if (given.text.includes(statement)) throw new Error('the connection broke')
    return query(given)
  })
  return { mend: () => mocked.mock.restore() }
}

/** From now on it is so much later, as far as a process counts its time. */
function pass(context: TestContext, ms: number): void {
  const now = performance.now.bind(performance)
  context.mock.method(performance, 'now', () => now() + ms)
}

function contentsOf(client: GatewayClient): string[] {
  return client.heard('MESSAGE_CREATE').map(({ d }) => `${Object(d).content}`)
}

async function isUp({ deps }: TestServer): Promise<boolean> {
  const metric = await deps.metrics.registry.getSingleMetricAsString('foyer_cluster_up')
  return metric.includes('foyer_cluster_up 1')
}
