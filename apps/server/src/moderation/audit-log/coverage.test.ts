import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { AuditAction } from '@foyer/protocol/audit-actions'
import { startFakeS3 } from '#test/object-storage/fake-s3.ts'
import type { AuditScene } from '#test/scenes/audit-scene.ts'
import { auditedChanges } from '#test/scenes/audited-changes.ts'
import { createPerson } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer } from '#test/server.ts'
import { unusedProvider } from '#test/sign-in/unused-provider.ts'
import { listEntries } from './queries.ts'

let people: Omit<AuditScene, 'space'>

before(async () => {
  const server = await startTestServer({
    allowedPrivateHosts: ['127.0.0.1'],
    includedStorageBytes: 1_000_000,
    oidcProviders: [unusedProvider('main')],
  })
  const s3 = await startFakeS3()
  s3.allowedOrigin = server.url
  const owner = await createPerson(server, 'owner')
  const member = await createPerson(server, 'member')
  people = { server, s3, owner, member, guest: await createPerson(server, 'guest') }
})
after(async () => {
  await people.server.close()
  await people.s3.close()
})

/**
 * Operations that change no space, or only what the caller writes in it; those that begin and end a log; and those of
 * operators, who have a log of their own.
 */
const unaudited = [
  /^(announcements|applications|auth|calls|conversations|exports|friends|identities|interactions|notifications|operator|ownerProofs|passkeys|secondFactors|serverReports|serverTests|users|voiceChecks|wayBacks)\./,
  /InConversation$/,
  /^spaces\.(create|delete)$/,
  /^spaceArchives\.import$/,
  /^messages\.(create|ack|typing|recording)$/,
  /^threadRooms\.(create|follow|unfollow)$/,
  /^reactions\.(add|remove)$/,
  /^attachments\.(create|cancel|resign)$/,
  /^buckets\.test/,
  /^automod\.tryRule$/,
  /^door\.leaveDoor$/,
  /^reports\.(create|addNote)$/,
  /^appeals\.create$/,
  /^webhooks\.(execute|executeAsSlack|executeAsGitHub|updateMessage|deleteMessage)$/,
]

test('AUDIT-1: each operation is known to leave an entry or not to change a space', async () => {
  const response = await people.server.fetch('/api/docs/json')
  const { paths }: { paths: Record<string, Record<string, { operationId: string }>> } = JSON.parse(
    await response.text(),
  )
  const operations = Object.values(paths)
    .flatMap((methods) => Object.entries(methods))
    .filter(([method]) => method !== 'get')
    .map(([, { operationId }]) => operationId.replace(/By(Put|Post)$/, ''))
  const others = operations.filter((name) => !unaudited.some((pattern) => pattern.test(name)))
  assert.deepEqual([...new Set(others)].toSorted(), Object.keys(auditedChanges).toSorted())
})

/** Returns the actions of the space's whole log, newest first. */
async function actionsIn({ id }: TestSpace): Promise<AuditAction[]> {
  const entries = await listEntries(people.server.deps.database, id, {}, { limit: 100 })
  return entries.map(({ action }) => action)
}

for (const [operation, [action, prepare]] of Object.entries(auditedChanges))
  test(`AUDIT-1: ${operation} leaves one entry: ${action}`, async () => {
    const space = await makeSpace(people.owner, [people.member])
    const call = await prepare({ ...people, space })
    const before = await actionsIn(space)
    await call()
    const after = await actionsIn(space)
    assert.deepEqual(after.slice(0, after.length - before.length), [action])
  })
