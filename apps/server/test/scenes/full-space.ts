import type { FakeS3 } from '../object-storage/fake-s3.ts'
import type { TestServer } from '../server.ts'
import { bucketBody } from './buckets.ts'
import { note } from './messages.ts'
import { createPerson, type Person } from './people.ts'
import { png } from './pictures.ts'
import { reportMessage } from './reports.ts'
import { makeSpace, type TestSpace } from './spaces.ts'

export interface FullSpace extends TestSpace {
  /** A pinned message with a file, in the bucket that the space brought. */
  messageId: string
  fileUrl: string
}

interface People {
  owner: Person
  member: Person
}

/** Makes a space with data of many kinds, and with files both in a bucket of its own and in the server's storage. */
export async function fillSpace(
  server: TestServer,
  { owner, member }: People,
  s3: FakeS3,
): Promise<FullSpace> {
  const space = await makeSpace(owner, [member])
  const { id, general } = space
  // Without a bucket of the space, this file is in the server's own storage.
  await owner.client.messages.createWithFiles(general, { content: 'first' }, [note('cups')])
  const bucket = await owner.client.buckets.create(id, bucketBody(s3))
  await owner.client.buckets.activate(id, bucket.id)
  const role = await owner.client.roles.create(id, { name: 'Guides' })
  await owner.client.roles.assign(id, member.id, role.id)
  const overwrite = { target_id: role.id, target_type: 0, allow_flags: 2, deny_flags: 0 }
  await owner.client.overwrites.upsert(id, general, overwrite)
  await owner.client.spaces.update(id, { icon: await png(), description: 'All of it' })
  await owner.client.emojis.create(id, { name: 'tea', image: await png() })
  await owner.client.webhooks.create(general, { name: 'Hook' })
  await owner.client.bans.create(id, (await createPerson(server, `banned${id.slice(-12)}`)).id)
  const { id: messageId, fileUrl } = await talk(general, { owner, member })
  await reportMessage(owner, general, messageId)
  return { ...space, messageId, fileUrl }
}

async function talk(roomId: string, { owner, member }: People): Promise<{ id: string; fileUrl: string }> {
  const sent = await member.client.messages.createWithFiles(roomId, { content: 'kettle' }, [note('leaves')])
  await owner.client.reactions.add({ channel: roomId, id: sent.id }, '👍')
  await owner.client.pins.add(roomId, sent.id)
  await owner.client.messages.create(roomId, { content: `hello <@${member.id}>`, nonce: 'once' })
  await member.client.messages.ack(roomId, sent.id)
  return { id: sent.id, fileUrl: sent.attachments[0]?.url ?? '' }
}
