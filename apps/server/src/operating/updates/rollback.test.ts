import assert from 'node:assert/strict'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { Opcode } from '@foyer/protocol/gateway'
import { sweepFiles } from '#src/files/objects/sweeper.ts'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { installationOf } from '#src/operating/backups/guards.ts'
import type { RunningServer } from '#src/start.ts'
import { identify, openSession, resume } from '#test/gateway-client.ts'
import { type Installation, makeInstallation } from '#test/processes/installation.ts'
import { createPerson } from '#test/scenes/people.ts'
import { png } from '#test/scenes/pictures.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { addStorage } from '#test/storages.ts'
import { placeFile } from '#test/stored-files.ts'
import { ask, besideOf, dropAll, listBeside, MIGRATIONS, makeOlder } from '#test/updates/old-databases.ts'
import { rollBack } from '#test/updates/rollbacks.ts'
import { updateOf } from '#test/updates/updates.ts'
import { connectionTo } from '#test/valkey/cluster.ts'
import { dropOverdue } from './jobs.ts'
import { withClient } from './server-databases.ts'
import { migrateSafely } from './updating.ts'

let installation: Installation
let server: RunningServer | undefined
beforeEach(async () => {
  installation = await makeInstallation()
})
afterEach(async () => {
  await stop()
  const { connection } = installation
  const [self] = await ask<{ name: string }>(connection, 'select current_database() as name')
  await dropAll(connectionTo(connection, 'postgres'), `${self?.name}_`)
  await installation.remove()
})

async function start(): Promise<RunningServer> {
  await stop()
  // No jobs: the minutely sweep would delete what a test sweeps itself.
  server = await installation.start({ services: ['api', 'gateway'] })
  return server
}

async function stop(): Promise<void> {
  await server?.close()
  server = undefined
}

test('ROLLBACK-1, ROLLBACK-4: what was there before the update is there again, and what was written since is not; old clients load everything again', async () => {
  const first = await start()
  const ada = await createPerson(first, 'ada')
  const { id, general } = await makeSpace(ada)
  const before = await ada.client.messages.create(general, { content: 'before' })
  await stop()
  await makeOlder(installation.connection)
  const updated = await start()
  const after = await ada.at(updated).client.messages.create(general, { content: 'after' })
  const session = await openSession(updated, ada.id)
  const live = await identify(updated, session)
  const { s = '' } = await live.findEvent('READY')
  live.close()
  await stop()

  const { lines, reports } = await rollBack(installation, ['--yes'])

  assert.match(
    reports[0] ?? '',
    /^This goes back to the version that ran before and its data of \d{4}-.*Z\. /,
  )
  assert.match(
    reports[0] ?? '',
    new RegExp(` Started since: version ${updated.deps.config.version} at \\d{4}-.*Z\\. `),
  )
  assert.match(
    reports[0] ?? '',
    /written since: 1 messages, 0 accounts and all other changes\. npm run rollback -- --undo brings them back\.$/,
  )
  assert.match(lines.join(' '), /Install the version that ran before before you start the server/)
  assert.deepEqual(await ask(installation.connection, `select to_regclass('versions') as versions`), [
    { versions: null },
  ])
  const again = await start()
  const here = ada.at(again)
  assert.deepEqual(
    (await here.client.messages.list(general))
      .map((message) => message.id)
      .filter((found) => found === before.id || found === after.id),
    [before.id],
  )
  const fresh = await openSession(again, ada.id)
  const back = await resume(again, fresh, s)
  await back.findCommand(Opcode.InvalidSession)
  back.close()
  assert.equal((await here.client.spaces.get(id)).id, id)
})

test('ROLLBACK-4: backups continue after a rollback, and the version is named', async () => {
  const { connection, config } = installation
  const first = await start()
  await stop()
  const migrations = await mkdtemp(join(tmpdir(), 'foyer-migrations-'))
  await cp(MIGRATIONS, migrations, { recursive: true })
  await writeFile(join(migrations, '9999-of-tomorrow.sql'), 'create table tomorrow (id int)')
  await migrateSafely(updateOf(connection, { migrations })).finally(() => rm(migrations, { recursive: true }))
  const { reports } = await rollBack(installation, ['--yes'])
  assert.match(reports[0] ?? '', new RegExp(`^This goes back to version ${config.version} and its data of`))
  assert.deepEqual(await ask(connection, 'select is_rollback, started_at from restores'), [
    { is_rollback: true, started_at: null },
  ])
  assert.equal(await withClient(connection, installationOf), null)
  const again = await start()
  assert.equal(again.deps.config.version, first.deps.config.version)
  assert.deepEqual(await ask(connection, 'select from restores where started_at is null'), [])
})

test('ROLLBACK-2: files that were deleted since the update are served after the rollback; others are deleted as always', async () => {
  const first = await start()
  const ada = await createPerson(first, 'ada')
  const { id } = await makeSpace(ada)
  await addStorage(first, id)
  const emoji = await ada.client.emojis.create(id, { name: 'tea', image: await png() })
  await stop()
  await makeOlder(installation.connection)
  const updated = await start()
  await ada.at(updated).client.emojis.delete(id, emoji.id)
  const newer = await placeFile(updated, { tenantId: newId(), state: 'deleted', bytes: Buffer.from('newer') })
  await updated.deps.database.execute(sql`update attachments set sweep_at = now() - interval '1 second'`)
  await sweepFiles(updated.deps, new AbortController().signal)
  const stateOf = async (fileId: string) =>
    (
      await ask<{ state: string }>(
        installation.connection,
        `select state from attachments where id = '${fileId}'`,
      )
    )[0]?.state
  assert.equal(await stateOf(newer.id), 'removed')
  assert.equal(await stateOf(emoji.attachment_id), 'deleted')
  await stop()
  await rollBack(installation, ['--yes'])
  const again = await start()
  const served = await fetch(`${again.url}/attachments/${emoji.attachment_id}`)
  assert.equal(served.status, 200)
  assert.equal((await served.arrayBuffer()).byteLength > 0, true)
})

test('ROLLBACK-3: it refuses without a snapshot, without a yes, a second time, and while something is connected', async () => {
  await start()
  await stop()
  const noSnapshot = { message: /^there is no snapshot to go back to: / }
  await assert.rejects(rollBack(installation, ['--yes']), noSnapshot)
  await assert.rejects(rollBack(installation, ['--undo']), { message: 'there is no rollback to undo' })
  await makeOlder(installation.connection)
  await start()
  const connected = {
    message:
      /^other programs are connected to the database \(.* of the user .*\): stop all servers first; nothing has changed$/,
  }
  await assert.rejects(rollBack(installation, ['--yes']), connected)
  await stop()
  await assert.rejects(rollBack(installation, []), { message: 'nothing has changed: add --yes to go on' })
  await assert.rejects(rollBack(installation, ['--no']), /Unknown option '--no'/)
  assert.deepEqual(await listBeside(installation.connection), ['_before_update'])
  await rollBack(installation, ['--yes'])
  await assert.rejects(rollBack(installation, ['--yes']), noSnapshot)
})

test('ROLLBACK-5: a start of the newer code after the rollback does not destroy the newer data', async () => {
  const { connection } = installation
  await start()
  await stop()
  await makeOlder(connection)
  const updated = await start()
  await createPerson(updated, 'late')
  await stop()
  const people = async () =>
    (await ask<{ username: string }>(connection, 'select username from users')).length
  await rollBack(installation, ['--yes'])
  // The code is not checked out here, as in a container, which starts the newer one again.
  const mistaken = await start()
  await dropOverdue({ ...mistaken.deps, directConnection: connection })
  await stop()
  assert.equal(await people(), 0)
  assert.deepEqual(await listBeside(connection), ['_before_update', '_rolled_back'])
  await assert.rejects(rollBack(installation, ['--yes']), {
    message:
      /^an earlier rollback has kept the newer data of \S+Z, which would be dropped: --undo returns to it, and --discard drops it; nothing has changed$/,
  })
  await rollBack(installation, ['--undo', '--yes'])
  assert.equal(await people(), 1)
})

test('ROLLBACK-5: with --discard, the newer data of an earlier rollback is given up', async () => {
  const { connection } = installation
  for (const round of [1, 2]) {
    await start()
    await stop()
    if (round === 1) await makeOlder(connection)
  }
  await rollBack(installation, ['--yes'])
  await start()
  await stop()
  await rollBack(installation, ['--discard', '--yes'])
  assert.deepEqual(await listBeside(connection), ['_rolled_back'])
})

test('ROLLBACK-5: a rollback can be undone, and that, too', async () => {
  const { connection } = installation
  const first = await start()
  await stop()
  await makeOlder(connection)
  const updated = await start()
  await createPerson(updated, 'late')
  await stop()
  const people = async () =>
    (await ask<{ username: string }>(connection, 'select username from users')).length
  await rollBack(installation, ['--yes'])
  assert.equal(await people(), 0)
  const { reports } = await rollBack(installation, ['--undo', '--yes'])
  assert.match(
    reports[0] ?? '',
    new RegExp(`^This goes back to version ${first.deps.config.version} and its data of`),
  )
  assert.equal(await people(), 1)
  assert.deepEqual(await listBeside(connection), ['_before_update'])
  const kept = await besideOf(connection, '_before_update')
  assert.deepEqual(await ask(kept, 'select from users'), [])
  await rollBack(installation, ['--yes'])
  assert.equal(await people(), 0)
  assert.deepEqual(await listBeside(connection), ['_rolled_back'])
})
