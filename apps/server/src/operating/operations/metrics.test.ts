import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, before, test } from 'node:test'
import { enqueueJob, enqueueLater } from '#src/kernel/jobs.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'

const isMissing = spawnSync('promtool', ['--version']).error !== undefined
/** Skipped only without CI. */
const skip = isMissing && process.env.CI !== 'true' && 'promtool is not installed (Debian: prometheus)'

let server: TestServer
before(async () => {
  server = await startOwnServer()
})
after(() => server.close())

async function read(): Promise<string> {
  return (await server.fetch('/metrics')).text()
}

/** Returns the value of a metric with these labels, as text. */
async function seriesOf(series: string): Promise<string | undefined> {
  const lines = (await read()).split('\n')
  return lines.find((line) => line.startsWith(`${series} `))?.slice(series.length + 1)
}

test('OPS-5: promtool finds no error in the names', { skip }, async () => {
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: await read() })
  assert.equal(`${stdout}${stderr}`, '')
  assert.equal(status, 0)
})

test('OPS-5: every metric has a help text and a type, and only counters end with _total', async () => {
  const text = await read()
  const types = [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)]
  const helps = new Set([...text.matchAll(/^# HELP (\S+) \S/gm)].map(([, name]) => name))
  assert.ok(types.length > 30)
  for (const [, name = '', type] of types) {
    assert.ok(helps.has(name), name)
    assert.equal(name.endsWith('_total'), type === 'counter', name)
    assert.doesNotMatch(name, /_(milliseconds|ms|minutes|kilobytes|kb|percent)(_|$)/)
  }
})

test('OPS-6: metrics have the version, the connection pools and the queues', async () => {
  const { version } = server.deps.config
  assert.equal(
    await seriesOf(`foyer_build_info{version="${version}",node_version="${process.version}"}`),
    '1',
  )
  const maximum = { transactions: 10, statements: 3, search: 4, jobs: 7 }
  for (const [pool, max] of Object.entries(maximum)) {
    const open = await Promise.all(
      ['in_use', 'idle'].map((state) =>
        seriesOf(`foyer_database_connections{pool="${pool}",state="${state}"}`),
      ),
    )
    assert.ok(
      open.every((count) => Number(count) >= 0),
      pool,
    )
    assert.equal(await seriesOf(`foyer_database_connections_max{pool="${pool}"}`), `${max}`)
    assert.equal(await seriesOf(`foyer_database_waiting{pool="${pool}"}`), '0')
  }
  for (const queue of ['media', 'passwords', 'space_changes', 'webhooks'])
    assert.equal(await seriesOf(`foyer_queue_length{queue="${queue}"}`), '0')
})

test('OPS-6: connections in use, and requests waiting for one, are counted', async () => {
  const held = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  let open = 0
  const transactions = Array.from({ length: 12 }, () =>
    server.deps.database.transaction(async () => {
      open += 1
      if (open === 10) begun.resolve()
      await held.promise
    }),
  )
  await begun.promise
  assert.equal(await seriesOf('foyer_database_connections{pool="transactions",state="in_use"}'), '10')
  assert.equal(await seriesOf('foyer_database_waiting{pool="transactions"}'), '2')
  held.resolve()
  await Promise.all(transactions)
})

test('OPS-6: jobs are counted by kind and state', async () => {
  await enqueueJob(server.deps.database, 'nobody_does_this', {})
  await server.deps.database.transaction((transaction) =>
    enqueueLater(transaction, 'nobody_does_this', {}, 3600),
  )
  assert.equal(await seriesOf('foyer_jobs{job="nobody_does_this",state="ready"}'), '1')
  assert.equal(await seriesOf('foyer_jobs{job="nobody_does_this",state="later"}'), '1')
})

test('OPS-6: mails are counted by result', async () => {
  const before = Number((await seriesOf('foyer_mails_total{outcome="sent"}')) ?? 0)
  await server.deps.mailer.send({ to: 'ann@example.org', subject: 'Hi', paragraphs: ['Hi'] })
  assert.equal(await seriesOf('foyer_mails_total{outcome="sent"}'), `${before + 1}`)
})
