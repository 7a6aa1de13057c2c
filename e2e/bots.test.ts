import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Bot } from '@foyer/sdk/bot'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { deliverPush, push, pushSigned } from './github.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { closeSettings, openSpaceSettings } from './settings.ts'
import { type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'
import { startWeatherBot } from './weather-bot.ts'

const SPACE = 'Sunday hikers'

/** The tests run in order: each continues where the previous one ended. */
describe('bots and webhooks', { skip: noBrowser }, () => {
  let stage: Stage
  let host: Settled
  let mira: Person
  let bot: Bot | undefined

  before(async () => {
    stage = await Stage.open()
    host = await settle(stage, 'mira')
    mira = host.person
    const { space } = await host.client.spaces.create({ name: SPACE })
    bot = await startWeatherBot(host, space.id, stage.program.url)
    await mira.page.goto(`/spaces/${space.id}`)
    await mira.composer('general').waitFor()
  })

  afterEach((context) => stage.keepFailure(context))
  after(async () => {
    await bot?.stop()
    await stage?.close()
  })

  test('a command is found by its name, and its options are filled in with the bot’s suggestions', async () => {
    await mira.composer('general').pressSequentially('/fo')
    await mira.page.getByRole('option', { name: /forecast/ }).waitFor()
    await mira.picture('slash-picker')
    await mira.page.keyboard.press('Enter')
    const city = mira.page.getByRole('combobox', { name: 'city' })
    await city.pressSequentially('ber')
    await eventually(() => mira.page.getByRole('option').allInnerTexts(), ['Bergen', 'Berlin', 'Bern'])
    await mira.page.keyboard.press('ArrowDown')
    await mira.picture('command-form')
    assert.deepEqual(await namelessParts(mira.page), [])
    await mira.page.keyboard.press('Enter')
    await eventually(() => city.inputValue(), 'Berlin')
    await mira.button('Add days').click()
    await mira.page.getByRole('textbox', { name: 'days' }).fill('9')
    await mira.page.keyboard.press('Enter')
    await mira.page.getByText('Enter 7 or less.').waitFor()
    await mira.page.getByRole('textbox', { name: 'days' }).fill('3')
    await mira.page.keyboard.press('Enter')
    await eventually(() => mira.history(), ['Berlin, 3 days: sunny, 21 °C'])
    await mira.picture('components')
  })

  test('a button opens a modal, and only the user who used it sees the answer', async () => {
    await mira.button('That is wrong').click()
    const dialog = mira.page.getByRole('dialog', { name: 'What is it really like?' })
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.getByText('This field is required.').waitFor()
    await mira.field('The sky').fill('Snow')
    await mira.picture('interaction-modal')
    await dialog.getByRole('button', { name: 'Send' }).click()
    const answers = mira.page.getByRole('region', { name: 'Only you can see this' })
    await answers.getByText('Thank you, I look up: Snow').waitFor()
    await mira.picture('ephemeral')
    assert.deepEqual(await namelessParts(mira.page), [])
    await mira.button('Dismiss').click()
    await answers.waitFor({ state: 'detached' })
  })

  test('a select and a button change their message', async () => {
    await mira.page.getByRole('combobox', { name: 'Another city' }).click()
    await mira.picture('component-select')
    await mira.page.getByRole('option', { name: 'Porto' }).click()
    await eventually(() => mira.history(), ['Porto: fog'])
    await mira.button('And then?').click()
    await eventually(() => mira.history(), ['Then it rains.'])
    await mira.button('And then?').waitFor({ state: 'detached' })
  })

  test('COMMAND-8: an unknown command stays in the field until it is sent again or as a message', async () => {
    const composer = mira.composer('general')
    const held = mira.page.getByRole('alert').filter({ hasText: 'There’s no command' })
    await composer.pressSequentially('/nosuch')
    await mira.page.getByText('There’s no command /nosuch.').waitFor()
    await composer.press('Enter')
    await held.waitFor()
    await mira.picture('command-held')
    assert.deepEqual(await namelessParts(mira.page), [])
    assert.equal(await composer.inputValue(), '/nosuch')
    await composer.pressSequentially(' thing')
    await held.waitFor({ state: 'detached' })
    await composer.press('Enter')
    await held.waitFor()
    assert.deepEqual(await mira.history(), ['Then it rains.'])
    await composer.press('Enter')
    await eventually(() => mira.history(), ['Then it rains.', '/nosuch thing'])
    await composer.fill('/shrug')
    await mira.button('Send message').click()
    await mira.button('Send as message').click()
    await eventually(() => mira.history(), ['Then it rains.', '/nosuch thing', '/shrug'])
    await composer.fill('/etc/hosts')
    await composer.press('Enter')
    await eventually(() => mira.history(), ['Then it rains.', '/nosuch thing', '/shrug', '/etc/hosts'])
  })

  test('COMMAND-8: a known command whose list was closed is not sent as a message either', async () => {
    const composer = mira.composer('general')
    await composer.fill('/forecast')
    await mira.page.getByRole('option', { name: /forecast/ }).waitFor()
    await composer.press('Escape')
    await composer.press('Enter')
    await mira.page.getByText('/forecast is a command. Choose it from the list to run it.').waitFor()
    await mira.picture('command-held-known')
    assert.equal(await composer.inputValue(), '/forecast')
    await composer.fill('')
  })

  test('FRIEND-8: a bot can be blocked and unblocked like people', async () => {
    const members = mira.page.getByRole('complementary', { name: 'Members' })
    const choose = async (item: string) => {
      await members.getByRole('button', { name: 'Weather' }).click({ button: 'right' })
      await mira.page.getByRole('menuitem', { name: item, exact: true }).click()
    }
    await choose('Block')
    const question = mira.page.getByRole('alertdialog', { name: 'Block Weather?' })
    await question.getByText('The bot can’t message you anymore').waitFor()
    await mira.picture('block-bot')
    await question.getByRole('button', { name: 'Block' }).click()
    await mira.page.getByText('1 message from someone you blocked').waitFor()
    await choose('Unblock')
    await eventually(() => mira.history(), ['Then it rains.', '/nosuch thing', '/shrug', '/etc/hosts'])
  })

  test('a webhook is created in the settings, and GitHub posts to it', async () => {
    await openSpaceSettings(mira, SPACE, 'Webhooks')
    await mira.button('Create webhook').click()
    await mira.field('Name').fill('Builds')
    await mira.page
      .getByRole('dialog', { name: 'Create a webhook' })
      .getByRole('button', { name: 'Create webhook' })
      .click()
    const url = await mira.field('URL for GitHub').inputValue()
    await mira.picture('webhook')
    assert.deepEqual(await namelessParts(mira.page), [])
    await mira.button('Back to webhooks').click()
    await mira.button('Copy URL of Builds').waitFor()
    await closeSettings(mira, SPACE)
    await push(url)
    await mira.page.getByRole('log').getByText('Mend the gate').waitFor()
    await mira.picture('github-push')
  })

  test('WEBHOOK-26: a secret is set, changed and removed in the settings, and GitHub has to sign with it', async () => {
    await openSpaceSettings(mira, SPACE, 'Webhooks')
    await mira.button('Edit Builds').click()
    const url = await mira.field('URL for GitHub').inputValue()
    const section = mira.page.getByRole('region', { name: 'Secret for GitHub' })
    const secret = section.locator('input')
    const save = section.getByRole('button', { name: 'Save changes' })
    const isSet = mira.page.getByText('A secret is set. Enter a new one to replace it.')
    const setTo = async (text: string) => {
      await secret.fill(text)
      await save.click()
      await eventually(() => secret.inputValue(), '')
      await isSet.waitFor()
    }
    const statuses = async () => [
      await pushSigned(url, 'first'),
      await pushSigned(url, 'second'),
      await deliverPush(url),
    ]
    assert.deepEqual(await statuses(), [204, 204, 204])
    await setTo('first')
    await mira.picture('webhook-secret')
    assert.deepEqual(await namelessParts(mira.page), [])
    assert.equal(await secret.getAttribute('type'), 'password')
    assert.deepEqual(await statuses(), [204, 401, 401])
    await setTo('second')
    assert.deepEqual(await statuses(), [401, 204, 401])
    await mira.button('Remove secret').click()
    await isSet.waitFor({ state: 'detached' })
    assert.deepEqual(await statuses(), [204, 204, 204])
    await mira.button('Back to webhooks').click()
    await closeSettings(mira, SPACE)
  })

  test('the owner of a bot sees its commands', async () => {
    await mira.button(/^Account: /).click()
    await mira.button('User settings').click()
    await mira.button('Applications').click()
    await mira.button(/^Weather @/).click()
    await mira.page.getByText('Tells the weather of a city').waitFor()
    const options = mira.page.getByRole('list', { name: 'Options for forecast' })
    await options.getByText('one of Celsius').waitFor()
    await options.getByText('How far ahead (whole number)').waitFor()
    await mira.picture('application-commands')
    await closeSettings(mira, 'User settings')
  })

  test('the console has no errors', () => {
    assert.deepEqual(mira.complaints, [])
  })
})
