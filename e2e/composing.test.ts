import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { namelessParts } from './names.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

/** The tests run in order: each continues where the previous one ended. */
describe('writing a message', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Settled
  let jonas: Settled
  let code: string

  before(async () => {
    stage = await Stage.open()
    mira = await settle(stage, 'mira')
    jonas = await settle(stage, 'jonas')
    const { space, rooms } = await gather('Sunday hikers', [mira, jonas])
    const general = rooms.find(({ name }) => name === 'general')?.id ?? ''
    code = (await mira.client.invites.create(space.id, general)).code
    for (const { person } of [mira, jonas]) {
      await person.page.goto(`/spaces/${space.id}`)
      await person.composer('general').waitFor()
    }
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const history = () => mira.person.history()

  test('WEB-15: typed names of emojis are sent as emojis, but not in code', async () => {
    await mira.person.say('Sunny :smile: and `:smile:`')
    await eventually(history, ['Sunny 😄 and :smile:'])
    assert.equal(await mira.person.composer('general').inputValue(), '')
  })

  test('WEB-15: pasted names become emojis before sending, and typing continues after them', async () => {
    const composer = mira.person.composer('general')
    await composer.focus()
    await composer.evaluate((field) => {
      const data = new DataTransfer()
      data.setData('text/plain', ':tada: at noon :x:')
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }))
      document.execCommand('insertText', false, ':tada: at noon :x:')
    })
    await eventually(() => composer.inputValue(), '🎉 at noon ❌️')
    await mira.person.page.keyboard.type(' sharp')
    await composer.press('Enter')
    await eventually(history, ['Sunny 😄 and :smile:', '🎉 at noon ❌️ sharp'])
  })

  test('WEB-16: a message to everyone is sent without asking in a small room', async () => {
    await mira.person.say('@everyone Boots?')
    await eventually(async () => (await history()).at(-1), '@everyone Boots?')
  })

  test('WEB-16: a message to six people says so and asks first; Escape continues editing, and the button sends it once', async () => {
    const { page } = mira.person
    for (const name of ['lena', 'finn', 'noah', 'ella', 'paul']) {
      const guest = await settle(stage, name)
      await guest.client.invites.join(code)
    }
    await page
      .getByText(/online, 7 members$/)
      .first()
      .waitFor()
    await mira.person.say('@here Rain!')
    const question = page.getByRole('alertdialog', { name: 'Notify everyone?' })
    await question.getByText('This message notifies 6 people.').waitFor()
    await mira.person.picture('notify-everyone')
    assert.deepEqual(await namelessParts(page), [])
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    const composer = mira.person.composer('general')
    await eventually(() => composer.inputValue(), '@here Rain!')
    await eventually(() => composer.evaluate((field) => field === document.activeElement), true)
    await composer.press('Enter')
    await question.waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await question.waitFor({ state: 'detached' })
    await eventually(async () => (await history()).slice(-2), ['@everyone Boots?', '@here Rain!'])
    assert.equal(await composer.inputValue(), '')
  })

  test('WEB-16: a user who may not mention everyone, or sends silently, is not asked', async () => {
    await jonas.person.say('@everyone Not me')
    await mira.person.message('Not me').waitFor()
    await mira.person.say('@silent @everyone Quiet')
    await jonas.person.message('Quiet').waitFor()
    assert.equal(await mira.person.page.getByRole('alertdialog').count(), 0)
  })
})
