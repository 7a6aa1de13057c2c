import assert from 'node:assert/strict'
import { monthOf } from '#src/web/web-pages/making/paths.ts'
import { fileAddresses, monthAddress, roomAddress, startAddress, threadAddress } from './web-addresses.ts'
import type { CachedAnswer } from './web-cache.ts'
import {
  dueIds,
  dueMessages,
  dueNames,
  dueThreads,
  isAnswered,
  isReadable,
  type Said,
  type StartedThread,
  type WebRoomModel,
} from './web-model.ts'
import type { WebScene } from './web-scene.ts'

/** An address, and the answer expected there. */
export interface Expectation {
  readonly path: string
  /** 301 redirects to the page without a query. */
  readonly status: 200 | 301 | 404
  /** Compares the answer with the model if its status is 200. */
  readonly compare: (answer: CachedAnswer) => void
}

/** Counts of everything that pages showed. */
export const seen = { messages: 0, names: 0, titles: 0, answers: 0, files: 0, gone: 0 }

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
/** Matches every word that a space's members wrote. */
const WORDS = /(?:token|title|room|person)\d+[xn]/

/** Returns the expected answers of all addresses of a space. */
export function expectationsOf(scene: WebScene): Expectation[] {
  const { model, random } = scene
  const files = model.said.flatMap((said) => fileExpectations(scene, said))
  const starts = model.said.length === 0 ? [] : [startExpectation(scene, random.pick(model.said))]
  return [
    spaceExpectation(scene),
    ...model.rooms.flatMap((room) => roomExpectations(scene, room)),
    ...model.threads.map((thread) => threadExpectation(scene, thread)),
    ...files,
    ...starts,
  ]
}

/** Compares an answer with the one expected at its address. */
export function compareAnswer({ status, path, compare }: Expectation, answer: CachedAnswer): void {
  assert.equal(answer.status, status)
  if (status === 200) return compare(answer)
  assert.equal(answer.headers.location, status === 301 ? path.split('?')[0] : undefined)
  assert.doesNotMatch(answer.text, WORDS)
}

/** Fails if the text contains an id of anything that the public may not read. */
export function compareIds({ model, spaceId }: WebScene, text: string): void {
  const due = dueIds(model).add(spaceId)
  assert.deepEqual(new Set(text.match(ID)).difference(due), new Set())
}

/** Checks the answer at an address whose page is gone: 404, or a redirect to a page that still exists. */
export function compareGone({ status, text }: CachedAnswer): void {
  assert.ok(status === 404 || (status === 301 && text === ''), `${status}`)
  seen.gone += 1
}

const found = (text: string, kind: 'token' | 'title' | 'room') =>
  new Set(text.match(new RegExp(`${kind}\\d+x`, 'g')))

function spaceExpectation({ model, spaceId }: WebScene): Expectation {
  const rooms = model.rooms.filter((room) => isReadable(model, room))
  return {
    path: `/read/${spaceId}-tea`,
    status: rooms.length > 0 ? 200 : 404,
    compare: ({ text, headers }) => {
      assert.deepEqual(found(text, 'room'), new Set(rooms.map(({ name }) => name)))
      compareIndexing(
        headers,
        rooms.some(({ isIndexed }) => isIndexed),
      )
    },
  }
}

function compareIndexing(headers: CachedAnswer['headers'], isIndexed: boolean): void {
  assert.equal(headers['x-robots-tag'], isIndexed ? undefined : 'noindex')
}

function roomExpectations(scene: WebScene, room: WebRoomModel): Expectation[] {
  const { model } = scene
  const path = roomAddress(scene, room)
  const due = dueMessages(model, room)
  const expect = (address: string, compare: (text: string) => void): Expectation => ({
    path: address,
    status: isReadable(model, room) && (room.isIndexed || !address.endsWith('.xml')) ? 200 : 404,
    compare: ({ text, headers }) => {
      compare(text)
      assert.deepEqual(found(text, 'room'), new Set([room.name]))
      compareIndexing(headers, room.isIndexed)
    },
  })
  return [
    expect(monthAddress(scene, room), (text) => {
      compareMessages(scene, text, due)
      compareArticles(text, due)
    }),
    expect(`${path}/feed.atom`, (text) => {
      if (room.isForum) compareTitles(scene, text, room)
      else compareMessages(scene, text, due.slice(-30))
    }),
    expect(path, (text) => {
      compareList(scene, text, room)
      compareAnswered(scene, text, room)
    }),
    expect(`${path}/sitemap.xml`, (text) => compareList(scene, text, room)),
  ]
}

/** Compares the messages of a page with the messages that the public may read. */
function compareMessages({ model }: WebScene, text: string, due: readonly Said[]): void {
  const tokens = found(text, 'token')
  assert.deepEqual(tokens, new Set(due.flatMap(({ token }) => token ?? [])))
  const names = new Set(text.match(/person\d+n/g))
  assert.deepEqual(names, dueNames(model, due))
  seen.messages += tokens.size
  seen.names += names.size
}

function compareArticles(text: string, due: readonly Said[]): void {
  const articles = [...text.matchAll(/<article id="m-([^"]+)"/g)].map(([, id]) => id)
  assert.deepEqual(articles, due.map(({ id }) => id).sort())
  for (const { file } of due)
    assert.ok(file === undefined || text.includes(`/${file.id}"`), 'a file is missing')
}

function compareTitles({ model }: WebScene, text: string, room: WebRoomModel): void {
  const due = new Set(dueThreads(model, room).map(({ title }) => title))
  const titles = found(text, 'title')
  assert.deepEqual(titles.difference(due), new Set())
  seen.titles += titles.size
}

function compareList(scene: WebScene, text: string, room: WebRoomModel): void {
  compareTitles(scene, text, room)
  const isNamed = text.includes(`/${monthOf(Date.now())}`)
  assert.ok(!isNamed || dueMessages(scene.model, room).length > 0, 'a month without messages')
}

function compareAnswered({ model }: WebScene, text: string, room: WebRoomModel): void {
  const answered = text.match(/answered/g)?.length ?? 0
  const due = dueThreads(model, room).filter((thread) => isAnswered(model, thread))
  assert.ok(answered <= due.length, 'an answer that cannot be read')
}

function threadExpectation(scene: WebScene, thread: StartedThread): Expectation {
  const { model } = scene
  const { room, title, answer, openingId } = thread
  const due = dueMessages(model, room, thread)
  const isOpening = due.some(({ id }) => id === openingId)
  const isSolved = isOpening && due.some((said) => said === answer)
  return {
    path: threadAddress(scene, thread),
    status: dueThreads(model, room).includes(thread) ? 200 : 404,
    compare: ({ text, headers }) => {
      assert.deepEqual(found(text, 'title'), new Set([title]))
      compareMessages(scene, text, due)
      compareArticles(text, due)
      assert.equal(text.includes('acceptedAnswer'), isSolved, 'the accepted answer')
      compareIndexing(headers, room.isIndexed)
      seen.answers += Number(isSolved)
    },
  }
}

function fileExpectations(scene: WebScene, said: Said): Expectation[] {
  const status = dueIds(scene.model).has(said.id) ? 200 : 404
  const compare = ({ text }: CachedAnswer) => {
    assert.equal(text, said.file?.text)
    seen.files += 1
  }
  return fileAddresses(scene, said).map((path) => ({ path, status, compare }))
}

/** Expects a page that begins with an unreadable message to redirect to the first page, if there is one. */
function startExpectation(scene: WebScene, said: Said): Expectation {
  const ids = dueIds(scene.model)
  return {
    path: startAddress(scene, said),
    status: ids.has(said.id) ? 200 : ids.has(said.channelId) ? 301 : 404,
    compare: ({ text }) => {
      const [, first] = /<article id="m-([^"]+)"/.exec(text) ?? []
      assert.equal(first, said.id)
    },
  }
}
