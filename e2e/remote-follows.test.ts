import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { type HttpTarget, startTarget } from '../apps/server/test/outside/http-target.ts'
import { type Person as Author, createPerson } from '../apps/server/test/scenes/people.ts'
import { freePort, pageOf, startSource } from '../apps/server/test/scenes/remote-follows.ts'
import { makeSpace } from '../apps/server/test/scenes/spaces.ts'
import { openAnnouncementRoom } from '../apps/server/test/scenes/web-feeds.ts'
import type { TestServer } from '../apps/server/test/server.ts'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { axeFindings, overflowingParts } from './screens/looks.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

const PHONE = { width: 320, height: 640 }
const DESKTOP = { width: 1280, height: 800 }

/** The tests run in order: each continues where the previous one ended. */
describe('rooms that follow rooms of another server', { skip: noBrowser }, () => {
  let source: TestServer
  let liar: HttpTarget
  let stage: Stage
  let host: Settled
  let mira: Person
  let author: Author
  let origin: { space: string; news: string }
  let here: { space: string; general: string }
  let own: string
  /** A room of the liar. */
  const failing = crypto.randomUUID()

  before(async () => {
    const port = String(await freePort())
    own = `http://127.0.0.1:${port}`
    source = await startSource()
    stage = await Stage.openOwn({
      ...{ PORT: port, PUBLIC_URL: own, TLS: 'off' },
      ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
    })
    author = await createPerson(source, 'author')
    const space = await makeSpace(author)
    origin = { space: space.id, news: await openAnnouncementRoom(author, space.id) }
    host = await settle(stage, 'mira')
    mira = host.person
    const made = await gather('Night owls', [host])
    here = { space: made.space.id, general: made.general.id }
    liar = await startLiar()
    await mira.page.goto(`/spaces/${here.space}/rooms/${here.general}`)
    await mira.composer('general').waitFor()
  })

  afterEach((context) => stage.keepFailure(context))
  after(async () => {
    await stage?.close()
    await source?.close()
    await liar?.close()
  })

  /** A server with a room that has the ids of a room here and announces a message, and with one that soon fails. */
  async function startLiar(): Promise<HttpTarget> {
    const target = await startTarget((request, response) => {
      const after = /after=(\d+)/.exec(request.url ?? '')?.[1]
      const room = request.url?.includes(failing) ? failing : here.general
      if (room === failing && after !== undefined) return void response.writeHead(503).end()
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(lie(room, after)))
    })
    const lie = (room: string, after: string | undefined) => {
      const server = `http://127.0.0.1:${target.port}`
      const page = `${server}/read/${here.space}/${room}`
      const message = {
        ...{ number: 1, id: crypto.randomUUID(), state: 'there', seq: 2, content: 'Trust me.', flags: 0 },
        ...{ embeds: [], components: [], files: [], sent_at: new Date().toISOString(), edited_at: null },
        url: `${page}?at=1`,
      }
      return {
        ...{ version: 1, server, url: `${page}/announcements.json`, hub: `${server}/read/hub` },
        space: { id: here.space, name: 'Night owls', icon: null },
        room: { id: room, name: 'general' },
        ...{ last_seq: 1, head: after === undefined ? 0 : 1 },
        messages: after === undefined ? undefined : after === '0' ? [message] : [],
      }
    }
    return target
  }

  const pageOfLiar = (room: string) => `http://127.0.0.1:${liar.port}/read/${here.space}/${room}`
  const dialog = (name: string) => mira.page.getByRole('dialog', { name, exact: true })

  async function onPhone(name: string): Promise<void> {
    await mira.page.setViewportSize(PHONE)
    await eventually(() => overflowingParts(mira.page), [])
    await mira.picture(name)
    await mira.page.setViewportSize(DESKTOP)
  }

  test('FOLLOW-50: a manager follows a room of another server by its address, and learns what is wrong with another', async () => {
    await mira.button('Room settings').click()
    const settings = dialog('general')
    await settings.getByRole('navigation').getByRole('button', { name: 'Webhooks' }).click()
    await settings.getByRole('button', { name: 'Follow…' }).click()
    const form = dialog('Follow a room on another server')
    await mira.picture('remote-follow')
    assert.deepEqual(await namelessParts(mira.page), [])
    assert.deepEqual(await axeFindings(mira.page, '[role=dialog]'), [])
    await onPhone('remote-follow-phone')
    const address = form.getByLabel('Address of the room')
    const wrong: [string, string][] = [
      ['news', 'Enter the address of a room on another Foyer server.'],
      [
        `${own}/read/${here.space}/${here.general}`,
        'This room is on this server. Open it and choose Follow there.',
      ],
      [
        `${source.url}/read/${origin.space}/${here.general}`,
        'There’s no announcement room at this address that everyone can read on the web.',
      ],
    ]
    for (const [text, error] of wrong) {
      await address.fill(text)
      await form.getByRole('button', { name: 'Follow' }).click()
      await form.getByText(error).waitFor()
    }
    await mira.takeRefusals(400, 400, 400)
    await address.fill(pageOf(source, origin.space, origin.news))
    await form.getByRole('button', { name: 'Follow' }).click()
    await settings.getByText(`Follows #news in Tea on ${new URL(source.url).host}`).waitFor()
    await mira.picture('remote-follow-followed')
    await settings.getByRole('button', { name: 'Back to webhooks' }).click()
    await settings.getByText(`Follows #news in Tea on ${new URL(source.url).host}`).waitFor()
    assert.deepEqual(await axeFindings(mira.page, '[role=dialog]'), [])
    await onPhone('remote-follow-list-phone')
    await mira.page.keyboard.press('Escape')
    await settings.waitFor({ state: 'detached' })
  })

  test('FOLLOW-51: a copy names the room, space and server of the original, with a link to its page', async () => {
    await author.client.messages.create(origin.news, { content: 'The kettle is on.' })
    const copy = mira.message('The kettle is on.')
    const link = copy.getByRole('link', { name: `From ${new URL(source.url).host}: #news in Tea` })
    await link.waitFor()
    assert.equal(new URL((await link.getAttribute('href')) ?? '').origin, source.url)
    assert.equal(await link.getAttribute('rel'), 'noopener noreferrer nofollow')
    await mira.picture('remote-follow-copy')
    assert.deepEqual(await axeFindings(mira.page, 'main'), [])
    await onPhone('remote-follow-copy-phone')
  })

  test('FOLLOW-51: a copy whose original has the ids of a room here is not shown as one of that room', async () => {
    await host.client.rooms.followRemote(here.general, pageOfLiar(here.general))
    const copy = mira.message('Trust me.')
    await copy.getByRole('link', { name: `From 127.0.0.1:${liar.port}: #general in Night owls` }).waitFor()
    assert.equal(await copy.getByRole('link').count(), 1)
  })

  test('FOLLOW-52: of a follow whose server does not answer, the list says since when', async () => {
    await host.client.rooms.followRemote(here.general, pageOfLiar(failing))
    await mira.button('Room settings').click()
    const settings = dialog('general')
    await settings.getByRole('navigation').getByRole('button', { name: 'Webhooks' }).click()
    await settings.getByText(/Follows .* on 127\.0\.0\.1:\d+ · Not reachable since /).waitFor()
  })

  test('the console has no errors', () => {
    assert.deepEqual(mira.complaints, [])
  })
})
