import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { Line } from './line.ts'
import type { Person } from './person.ts'
import { meet } from './settled.ts'
import { Stage } from './stage.ts'

describe('a connection that breaks', { skip: noBrowser }, () => {
  let stage: Stage
  let line: Line
  let mira: Person
  let jonas: Person
  /** All that was said so far, in the server's order. */
  const said: string[] = []

  before(async () => {
    stage = await Stage.open()
    line = await Line.open(stage.program.url)
    mira = await stage.person('mira')
    jonas = await stage.person('jonas', line.url)
    await meet(mira, jonas)
  })

  afterEach((context) => stage.keepFailure(context))
  after(async () => {
    line?.close()
    await stage?.close()
  })

  async function bothSee(expected: readonly string[]): Promise<void> {
    // First, because what is sent twice shows as such to its writer only then.
    for (const person of [mira, jonas]) await eventually(() => person.outgoing(), 0)
    for (const person of [mira, jonas]) await eventually(() => person.history(), [...expected])
  }

  test('what both write while one is cut off is there once, in one order', async () => {
    await mira.say('before')
    await jonas.message('before').waitFor()
    line.cut()
    for (const text of ['offline 1', 'offline 2', 'offline 3']) await jonas.say(text)
    for (const text of ['online 1', 'online 2', 'online 3']) await mira.say(text)
    await eventually(() => mira.outgoing(), 0)
    await jonas.button('Try now').waitFor()
    assert.equal(await jonas.outgoing(), 3, 'what was written meanwhile is shown as not yet sent')
    await jonas.picture('cut-off')
    line.mend()
    // The browser may try by itself before it is told to.
    const tryNow = jonas.button('Try now')
    await Promise.race([tryNow.click({ timeout: 20_000 }), tryNow.waitFor({ state: 'detached' })])
    said.push('before', 'online 1', 'online 2', 'online 3', 'offline 1', 'offline 2', 'offline 3')
    await bothSee(said)
  })

  test('a message that arrived and whose answer was lost is not doubled', async () => {
    line.deafen()
    await jonas.say('answer lost')
    await mira.message('answer lost').waitFor()
    line.cut()
    line.mend()
    said.push('answer lost')
    await bothSee(said)
  })

  test('both have the same history after the server was killed while they wrote', async () => {
    const burst = (name: string) => [1, 2, 3, 4, 5, 6].map((number) => `${name} ${number}`)
    const [hers, his] = [burst('mira'), burst('jonas')]
    const write = async (person: Person, texts: string[]) => {
      for (const text of texts) await person.say(text)
    }
    const writing = Promise.all([write(mira, hers), write(jonas, his)])
    await mira.message('jonas 2').waitFor()
    await stage.program.kill()
    await writing
    await stage.restart()
    await eventually(async () => (await mira.history()).length, said.length + 12)
    // Until then what was stored before may stand below what came after it.
    for (const person of [mira, jonas]) await eventually(() => person.outgoing(), 0)
    const history = await mira.history()
    await bothSee(history)
    const news = history.slice(said.length)
    assert.deepEqual(history.slice(0, said.length), said)
    assert.deepEqual(
      news.filter((text) => text.startsWith('mira')),
      hers,
    )
    assert.deepEqual(
      news.filter((text) => text.startsWith('jonas')),
      his,
    )
    await Promise.all([mira.page.reload(), jonas.page.reload()])
    await bothSee(history)
  })

  test('the consoles report nothing but the outages', () => {
    for (const person of [mira, jonas]) {
      person.forgiveOutage()
      assert.deepEqual(person.complaints, [])
    }
  })
})
