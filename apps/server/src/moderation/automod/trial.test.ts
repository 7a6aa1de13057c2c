import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { AutomodTrigger } from '@foyer/protocol/automod'
import { EmbedType } from '@foyer/protocol/embeds'
import { Automod } from '@foyer/sdk/api/automod'
import { sql } from '#src/kernel/sql/sql.ts'
import { toEmbeds } from '#src/messages/embeds.ts'
import { CAUGHT, contentsIn, outcomeOf, trySending, wordRule } from '#test/scenes/automod.ts'
import { note, postForm, putUpload } from '#test/scenes/messages.ts'
import { type Answer, createPerson, type Person } from '#test/scenes/people.ts'
import { formOf, png } from '#test/scenes/pictures.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { deliver } from '#test/scenes/webhooks.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { addStorage } from '#test/storages.ts'
import { until } from '#test/until.ts'

const OWN = 'https://chat.example.org'

let server: TestServer
let owner: Person
let member: Person
let space: TestSpace

before(async () => {
  server = await startTestServer({ publicUrl: OWN })
  owner = await createPerson(server, 'owner')
  member = await createPerson(server, 'member')
})
after(() => server.close())
beforeEach(async () => {
  space = await makeSpace(owner, [member])
})

const send = (body: object) => member.call('POST', `/api/rooms/${space.general}/messages`, body)
const says = (content: string) => () => send({ content })

/** Ways to post, and whether a rule catches what they post. */
type Posts = readonly (readonly [post: () => Promise<Pick<Answer, 'status' | 'code'>>, isCaught: boolean])[]

/** Posts everything without the rule, tries the rule, and posts everything again while it is on. */
async function checkAlike(trigger: AutomodTrigger, posts: Posts): Promise<void> {
  for (const [post] of posts) assert.equal((await post()).code, null)
  const { caught, checked } = await owner.client.api(Automod).tryRule(space.id, { trigger })
  await wordRule(owner, space, { trigger })
  const refused: boolean[] = []
  for (const [post] of posts) refused.push(outcomeOf(await post()) === 'automod_refused')
  assert.deepEqual(
    refused,
    posts.map(([, isCaught]) => isCaught),
  )
  const expected = refused.filter((isRefused) => isRefused).length
  assert.deepEqual({ caught, checked }, { caught: expected, checked: posts.length })
}

test('AUTOMOD-12: a trial knows the server itself and the invites of the space, as the rule does', async () => {
  const { id: elsewhere, general } = await makeSpace(owner)
  const [own, other] = [
    await owner.client.invites.create(space.id, space.general),
    await owner.client.invites.create(elsewhere, general),
  ]
  await checkAlike({ type: 'links', list: 'allow', hosts: ['example.com'] }, [
    [says(`${OWN}/invite/${own.code}`), false],
    [says('https://example.com/'), false],
    [says('https://example.net/'), true],
  ])
  space = await makeSpace(owner, [member])
  const { code } = await owner.client.invites.create(space.id, space.general)
  await checkAlike({ type: 'invites' }, [
    [says(`${OWN}/invite/${code}`), false],
    [says(`${OWN}/invite/${other.code}`), true],
  ])
})

test('AUTOMOD-12: a trial reads names of stickers, files and webhooks, as the rule does', async () => {
  await addStorage(server, space.id)
  const [caught, fine] = await Promise.all(
    [CAUGHT, 'kettle'].map(async (name) =>
      owner.client.stickers.create(space.id, { name, image: await png() }),
    ),
  )
  const webhook = await owner.client.webhooks.create(space.general, { name: 'News' })
  const file = (name: string) => () => postForm(member, space.general, formOf(['files', note('x', name)]))
  const byWebhook = (username: string) => () => deliver(server, webhook, { content: 'x', username })
  await checkAlike({ type: 'words', words: [CAUGHT] }, [
    [() => send({ sticker_ids: [caught?.id] }), true],
    [() => send({ sticker_ids: [fine?.id] }), false],
    [file(`${CAUGHT}.txt`), true],
    [file('kettle.txt'), false],
    [byWebhook(CAUGHT), true],
    [byWebhook('kettle'), false],
  ])
})

test('AUTOMOD-12: a trial looks at the files of forwards, as the rule does', async () => {
  const elsewhere = await makeSpace(owner, [member])
  const { messages } = member.client
  const upload = await putUpload(member, elsewhere.general, note('x'))
  const withFile = await messages.create(elsewhere.general, { attachment_ids: [upload] })
  const plain = await messages.create(elsewhere.general, { content: 'x' })
  const reference = { type: 1, message_id: withFile.id, room_id: elsewhere.general }
  await checkAlike({ type: 'attachments', content_types: ['text/*'] }, [
    [() => send({ reference }), true],
    [() => send({ reference: { ...reference, message_id: plain.id } }), false],
  ])
})

test('AUTOMOD-12: a trial counts repeats, as the rule does', async () => {
  await checkAlike({ type: 'repeats', count: 3, seconds: 3600 }, [
    [says('Buy now'), false],
    [says('hello'), false],
    [says('BUY NOW'), false],
    [says('buy  now'), true],
    [says('hello'), false],
  ])
})

test('AUTOMOD-12: a trial reads neither previews of links nor what AutoMod posts', async () => {
  const { id } = await member.client.messages.create(space.general, { content: 'https://example.com/' })
  const [card] = toEmbeds([{ title: CAUGHT }])
  const preview = [{ ...card, type: EmbedType.Link }]
  await server.deps.database.execute(sql`
    update messages set embeds = ${JSON.stringify(preview)} where id = ${id} returning id`)
  const { id: log } = await owner.client.rooms.create(space.id, { name: 'log', type: 1 })
  const saved = await wordRule(owner, space, { alert_room_id: log })
  assert.equal(await trySending(member, space.general, CAUGHT), 'automod_refused')
  await until(async () => (await contentsIn(owner, log)).join().includes(CAUGHT), 'the alert is there')
  const { trigger } = saved
  const { caught, checked } = await owner.client.api(Automod).tryRule(space.id, { trigger })
  assert.deepEqual({ caught, checked }, { caught: 0, checked: 1 })
})
