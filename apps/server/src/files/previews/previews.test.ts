import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Capability } from '@foyer/protocol/capabilities'
import type { Message } from '@foyer/protocol/messages'
import { OverwriteTarget } from '@foyer/protocol/permissions'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { checkFilesAtRest } from '#test/file-consistency.ts'
import {
  eventually,
  messageWhen,
  type PreviewServer,
  previewsDone,
  startPreviewServer,
} from '#test/outside/preview-server.ts'
import { makeDirect } from '#test/scenes/conversations.ts'
import { answering, pageOf, serving } from '#test/scenes/pages.ts'
import { createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer } from '#test/server.ts'

let host: PreviewServer
let owner: Person
let member: Person
let space: TestSpace

before(async () => {
  host = await startPreviewServer()
  owner = await createPerson(host.server, 'owner')
  member = await createPerson(host.server, 'member')
  space = await makeSpace(owner, [member])
})
after(() => checkFilesAtRest(host.server).finally(host.close))

const page = (title: string) => serving(pageOf(`<title>${title}</title>`))
const titlesOf = ({ embeds }: Message) => embeds.map(({ title }) => title)
const send = (content: string, flags = 0) => owner.client.messages.create(space.general, { content, flags })
const shown = (message: Message, isSo: (message: Message) => boolean) =>
  messageWhen(owner, space.general, message.id, isSo)

/** Returns the message once its previews are done: a later message of the same sender has one. */
async function settled({ id }: Pick<Message, 'id'>): Promise<Message> {
  const fence = await send(host.at(`/fence/${id}`))
  await shown(fence, ({ embeds }) => embeds.length > 0)
  await previewsDone(host.server)
  return owner.client.messages.get(space.general, id)
}

/** Serves pages by path, and one page at every other path below /fence. */
function answerWith(paths: Record<string, ReturnType<typeof serving>>): void {
  host.answer((request, response) => {
    const isFence = request.url?.startsWith('/fence')
    return (isFence ? page('Fence') : answering(paths))(request, response)
  })
}

test('PREVIEW-2: previews follow the message, in the order of its links, without counting as an edit', async () => {
  answerWith({ '/a': page('A'), '/b': page('B') })
  const message = await send(`first ${host.at('/b')}, then ${host.at('/missing')} and ${host.at('/a')}`)
  assert.deepEqual(message.embeds, [])
  const previewed = await shown(message, ({ embeds }) => embeds.length === 2)
  assert.deepEqual(
    previewed.embeds.map(({ title, url }) => [title, url]),
    [
      ['B', host.at('/b')],
      ['A', host.at('/a')],
    ],
  )
  assert.deepEqual({ ...previewed, embeds: [] }, message)
  const journal = await listJournal(host.server, topicOf.room(space.id, space.general))
  const updates = journal.filter(({ name }) => name === 'MESSAGE_UPDATE')
  assert.deepEqual(
    updates.map(({ data }) => data),
    [previewed],
  )
  const found = await owner.client.search.space(space.id, { has: ['embed'] })
  assert.deepEqual(
    found.messages.map(({ id }) => id),
    [message.id],
  )
})

test('PREVIEW-2: previews appear in conversations, too, after a bot’s own embeds', async () => {
  answerWith({ '/a': page('A') })
  const direct = await makeDirect(host.server, owner, member)
  const channel = { conversation: direct.id }
  const said = await owner.client.messages.create(channel, { content: host.at('/a') })
  assert.deepEqual(titlesOf(await messageWhen(member, channel, said.id, ({ embeds }) => embeds.length > 0)), [
    'A',
  ])
  const bot = await createApplicationBot(host.server, owner, { name: 'Shower' })
  await owner.client.members.addBot(space.id, bot.id)
  const body = { content: host.at('/a'), embeds: [{ title: 'Own', url: host.at('/a') }] }
  const message = await bot.client.messages.create(space.general, body)
  assert.deepEqual(titlesOf(await shown(message, ({ embeds }) => embeds.length === 2)), ['Own', 'A'])
  await bot.client.messages.update(space.general, message.id, { embeds: [{ title: 'Other' }] })
  assert.deepEqual(titlesOf(await shown(message, ({ embeds }) => embeds.length === 2)), ['Other', 'A'])
})

test('PREVIEW-7: a link is requested once, however many messages contain it, even if it fails', async () => {
  answerWith({ '/crowd': page('Crowd') })
  const links = `${host.at('/crowd')} ${host.at('/nowhere')}`
  const messages = await Promise.all(Array.from({ length: 8 }, () => send(links)))
  messages.push(await member.client.messages.create(space.general, { content: links }))
  for (const message of messages)
    assert.deepEqual(titlesOf(await shown(message, ({ embeds }) => embeds.length > 0)), ['Crowd'])
  assert.deepEqual(host.asked().toSorted(), ['/crowd', '/nowhere'])
  await host.server.deps.database.execute(sql`update link_previews set expires_at = now()`)
  const later = await send(host.at('/crowd'))
  await shown(later, ({ embeds }) => embeds.length > 0)
  assert.equal(host.asked().filter((path) => path === '/crowd').length, 2)
})

test('PREVIEW-7: an unreachable host is asked again later, twice', async () => {
  const { database } = host.server.deps
  answerWith({ '/down': (_request, response) => response.writeHead(503).end() })
  const message = await send(host.at('/down'))
  for (const attempt of [1, 2]) {
    const job = await findAttempt(message.id, attempt)
    assert.equal(job.is_later, true)
    await database.execute(sql`delete from link_previews`)
    if (attempt === 2) answerWith({ '/down': page('Up again') })
    await database.execute(sql`
      select graphile_worker.reschedule_jobs(array[${job.id}::bigint], run_at => now())`)
  }
  assert.deepEqual(titlesOf(await shown(message, ({ embeds }) => embeds.length > 0)), ['Up again'])
})

/** Returns the attempt once it waits for its time. */
function findAttempt(messageId: string, attempt: number): Promise<{ id: string; is_later: boolean }> {
  return eventually(async () => {
    const [job] = await host.server.deps.database.query<{
      id: string
      is_later: boolean
    }>(sql`
      select jobs.id, run_at > now() + interval '30 seconds' as is_later
      from graphile_worker._private_jobs as jobs
      where payload ->> 'message_id' = ${messageId} and payload ->> 'attempt' = ${String(attempt)}`)
    return job
  })
}

test('PREVIEW-8: an edit removes the previews of links that are gone, and adds those of new ones', async () => {
  answerWith({ '/a': page('A'), '/b': page('B'), '/c': page('C') })
  const message = await send(`${host.at('/a')} ${host.at('/b')}`)
  await shown(message, ({ embeds }) => embeds.length === 2)
  await owner.client.messages.update(space.general, message.id, {
    content: `${host.at('/c')} ${host.at('/b')}`,
  })
  const edited = await shown(message, (now) => titlesOf(now).join() === 'C,B')
  assert.deepEqual(titlesOf(edited), ['C', 'B'])
  await owner.client.messages.update(space.general, message.id, { content: 'no link' })
  assert.deepEqual((await shown(message, ({ embeds }) => embeds.length === 0)).embeds, [])
})

test('PREVIEW-8: a message without previews has none, and gets them back', async () => {
  answerWith({ '/a': page('A') })
  const quiet = await send(host.at('/a'), 1)
  assert.deepEqual((await settled(quiet)).embeds, [])
  await owner.client.messages.update(space.general, quiet.id, { flags: 0 })
  assert.deepEqual(titlesOf(await shown(quiet, ({ embeds }) => embeds.length > 0)), ['A'])
  await owner.client.messages.update(space.general, quiet.id, { flags: 1 })
  assert.deepEqual((await shown(quiet, ({ embeds }) => embeds.length === 0)).embeds, [])
  for (const content of [`<${host.at('/a')}>`, `\`${host.at('/a')}\``, `||${host.at('/a')}||`])
    assert.deepEqual((await settled(await send(content))).embeds, [], content)
})

test('PREVIEW-8: a message edited or deleted while a host is asked shows nothing outdated', async () => {
  const released = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  let count = 0
  answerWith({
    '/slow': async (request, response) => {
      count += 1
      if (count === 1) asked.resolve()
      await released.promise
      page('Slow')(request, response)
    },
  })
  const [edited, deleted] = [await send(host.at('/slow')), await send(host.at('/slow'))]
  await asked.promise
  await owner.client.messages.update(space.general, edited.id, { content: 'changed my mind' })
  await owner.client.messages.delete(space.general, deleted.id)
  released.resolve()
  assert.deepEqual((await settled(edited)).embeds, [])
  const journal = await listJournal(host.server, topicOf.room(space.id, space.general))
  const told = journal.filter(
    ({ name, data }) => name === 'MESSAGE_UPDATE' && JSON.stringify(data).includes(deleted.id),
  )
  assert.deepEqual(told, [])
})

test('PREVIEW-10: no link is requested with LINK_PREVIEWS=off', async () => {
  const other = await startTestServer({ allowedPrivateHosts: ['127.0.0.1'], linkPreviews: false })
  answerWith({ '/a': page('A') })
  const person = await createPerson(other, 'person')
  const { general } = await makeSpace(person)
  const message = await person.client.messages.create(general, { content: host.at('/a') })
  await person.client.messages.update(general, message.id, { content: `again ${host.at('/a')}` })
  await previewsDone(other)
  assert.deepEqual((await person.client.messages.get(general, message.id)).embeds, [])
  await other.close()
  assert.deepEqual(host.asked(), [])
})

test('CAPABILITY-14: links of a member without EmbedLinks get no previews, and shown ones stay', async () => {
  answerWith({ '/a': page('A'), '/b': page('B') })
  const before = await member.client.messages.create(space.general, { content: host.at('/a') })
  await shown(before, ({ embeds }) => embeds.length === 1)
  await owner.client.overwrites.upsert(space.id, space.general, {
    target_id: member.id,
    target_type: OverwriteTarget.Member,
    allow_flags: 0,
    deny_flags: 0,
    deny_capabilities: Capability.EmbedLinks,
  })
  const after = await member.client.messages.create(space.general, { content: host.at('/b') })
  assert.deepEqual(titlesOf(await settled(after)), [])
  const both = `${host.at('/a')} ${host.at('/b')}`
  await member.client.messages.update(space.general, before.id, { content: both })
  assert.deepEqual(titlesOf(await settled(before)), ['A'])
  await owner.client.overwrites.delete(space.id, space.general, member.id)
})
