import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { RoomType } from '@foyer/protocol/rooms'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { holdUploads } from './attaching.ts'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import type { Person } from './person.ts'
import { picture } from './sample-files.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

/** A post is changed or cancelled while its pictures upload. */
describe('a post on its way', { skip: noBrowser }, () => {
  let stage: Stage
  let host: Settled
  let mira: Person
  let forumId: string
  let path: string

  before(async () => {
    stage = await Stage.open()
    host = await settle(stage, 'mira')
    mira = host.person
    const { space } = await gather('Sunday hikers', [host])
    const forum = await host.client.rooms.create(space.id, { name: 'questions', type: RoomType.Forum })
    const tags = ['Huts', 'Routes'].map((name) => ({ name, color: null, is_moderated: false }))
    await host.client.rooms.update(space.id, forum.id, { forum: { tags } })
    forumId = forum.id
    path = `/spaces/${space.id}/rooms/${forumId}`
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const form = () => mira.page.getByRole('region', { name: 'New post' })
  const waiting = () => form().getByText('We’ll publish your post when the pictures are uploaded.')
  const draw = (name: string) => picture(name, { width: 300, height: 200, sky: [92, 150, 226] })

  /** Fills in a post, and sends it while its pictures wait. Returns a function that lets them go on. */
  async function sendWaiting(title: string): Promise<() => Promise<void>> {
    await mira.page.goto(path)
    await mira.button('New post').click()
    const release = await holdUploads(mira)
    const begun: string[] = []
    mira.page.on('request', (request) => {
      if (request.method() === 'PUT' && request.url().includes('/storage/')) begun.push(request.url())
    })
    await form().getByLabel('Title').fill(title)
    await form().getByLabel('Text').fill('First text.')
    await form().getByRole('checkbox', { name: 'Huts' }).check()
    await form()
      .getByLabel(/^Pictures/)
      .setInputFiles([draw('left.png'), draw('right.png')])
    await form().getByRole('button', { name: 'Post', exact: true }).click()
    await waiting().waitFor()
    await eventually(() => begun.length, 2)
    return release
  }

  async function titles(): Promise<string[]> {
    const { threads } = await host.client.api(ThreadRooms).list(forumId)
    return threads.map(({ title }) => title)
  }

  test('FORUM-23: a post that is changed while its pictures upload is sent as it is at the end', async () => {
    const release = await sendWaiting('Witch way?')
    await form().getByLabel('Title').fill('Which way?')
    await form().getByLabel('Text').fill('Last text.')
    await form().getByRole('checkbox', { name: 'Routes' }).check()
    await form().getByRole('button', { name: 'Cancel uploading left.png' }).click()
    await waiting().waitFor()
    await release()
    await mira.message('Last text.').waitFor()
    await mira.page.getByRole('heading', { name: 'Which way?' }).first().waitFor()
    const bar = mira.page.getByRole('region', { name: 'About this post' })
    for (const tag of ['Huts', 'Routes']) await bar.getByText(tag).waitFor()
    const log = mira.page.getByRole('log')
    await log.getByRole('img', { name: 'right.png' }).waitFor()
    assert.equal(await log.getByRole('img', { name: 'left.png' }).count(), 0)
    await mira.page.goBack()
    await mira.button('New post').waitFor()
    assert.equal(await form().count(), 0)
  })

  test('FORUM-23: a post whose title is removed while its pictures upload waits for another one', async () => {
    const release = await sendWaiting('No title')
    await form().getByLabel('Title').fill('')
    await release()
    await form().getByText('Enter a title.').waitFor()
    assert.deepEqual(await titles(), ['Which way?'])
    await form().getByLabel('Title').fill('A title')
    await form().getByRole('button', { name: 'Post', exact: true }).click()
    await mira.page.getByRole('heading', { name: 'A title' }).first().waitFor()
    await mira.page.getByRole('log').getByRole('img', { name: 'left.png' }).waitFor()
  })

  test('FORUM-23: a post that is cancelled while its pictures upload leaves no post, draft or file', async () => {
    const deleted: string[] = []
    mira.page.on('request', (request) => {
      if (request.method() === 'DELETE') deleted.push(request.url())
    })
    const release = await sendWaiting('Never mind')
    await form().getByRole('button', { name: 'Cancel', exact: true }).click()
    await mira.button('New post').waitFor()
    await release()
    await eventually(() => deleted.length, 2)
    // Its threads move the rooms below them: a click in that moment would meet two different links.
    await mira.room('A title').waitFor()
    await mira.room('general').click()
    await mira.composer('general').waitFor()
    await mira.room('questions').click()
    await mira.button('New post').waitFor()
    assert.equal(await form().count(), 0)
    assert.deepEqual((await titles()).toSorted(), ['A title', 'Which way?'])
    await mira.button('New post').click()
    assert.equal(await form().getByLabel('Title').inputValue(), '')
    assert.equal(await form().getByRole('list', { name: 'Attached files' }).count(), 0)
    assert.deepEqual(mira.complaints, [])
  })
})
