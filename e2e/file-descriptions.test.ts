import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { choose, isDrawn, send, shown, stored, tray } from './attaching.ts'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { isFocused } from './keys.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { picture, text } from './sample-files.ts'
import { meet } from './settled.ts'
import { Stage } from './stage.ts'

describe('descriptions of pictures', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  let jonas: Person

  before(async () => {
    stage = await Stage.open()
    mira = await stage.person('mira')
    jonas = await stage.person('jonas')
    await meet(mira, jonas)
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  test('FILE-25: a picture is described before it is sent, and the other user gets the description', async () => {
    const description = 'A ridge under a blue sky'
    const ridge = picture('far.png', { width: 1200, height: 800, sky: [70, 120, 200] })
    await choose(mira, [ridge, text('plain.txt', 'no picture')])
    await eventually(() => stored(mira), 2)
    assert.equal(await mira.page.getByRole('button', { name: /Add a description/ }).count(), 1)
    await mira.button('Add a description to far.png').click()
    const dialog = mira.page.getByRole('dialog', { name: 'Describe far.png' })
    const field = dialog.getByRole('textbox', { name: 'Description (alt text)' })
    await eventually(() => isFocused(field), true)
    await field.fill(description)
    await mira.picture('file-description')
    assert.deepEqual(await namelessParts(mira.page), [])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const edit = mira.button('Edit the description of far.png')
    await eventually(() => isFocused(edit), true)
    await edit.click()
    await eventually(() => field.inputValue(), description)
    await mira.page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await tray(mira).count(), 2, 'the dialog sends nothing')
    await send(mira, 'Described')
    for (const person of [mira, jonas]) await eventually(() => isDrawn(shown(person, description)), true)
    await jonas.page.getByRole('log').getByRole('button', { name: description }).click()
    const lightbox = jonas.page.getByRole('dialog', { name: 'far.png' })
    await lightbox.getByText(description).waitFor()
    await jonas.picture('file-description-lightbox')
    await jonas.page.keyboard.press('Escape')
    await lightbox.waitFor({ state: 'detached' })
    await jonas.page.getByRole('log').getByText('ALT', { exact: true }).waitFor()
    await jonas.picture('file-description-shown')
  })

  test('the consoles have no errors', () => {
    assert.deepEqual([...mira.complaints, ...jonas.complaints], [])
  })
})
