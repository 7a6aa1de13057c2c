import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { unpack } from '../apps/server/test/scenes/exports.ts'
import { noBrowser } from './chromium-files.ts'
import { namelessParts } from './names.ts'
import { axeFindings, overflowingParts } from './screens/looks.ts'
import { chooseSection } from './settings.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

const SPACE = 'Sunday hikers'
const HOSTILE = '<script>document.title = "taken over"</script> & <b>bold</b>'

/** Lena takes a copy of her data. The tests run in order: each continues where the previous one ended. */
describe('the copy of one’s data', { skip: noBrowser }, () => {
  let stage: Stage
  let lena: Settled
  let folder: string
  let zip: Buffer

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'foyer-copy-'))
    stage = await Stage.open()
    lena = await settle(stage, 'lena')
    const jonas = await settle(stage, 'jonas')
    const { general } = await gather(SPACE, [jonas, lena])
    await lena.client.messages.create(general.id, { content: 'Who brings the map?' })
    await lena.client.messages.create(general.id, { content: HOSTILE })
    await jonas.client.messages.create(general.id, { content: 'I do.' })
    await lena.person.page.goto('/home')
  })

  afterEach((context) => stage.keepFailure(context))
  after(async () => {
    await stage?.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('EXPORT-10: it is requested in the settings, with the password', async () => {
    const { person } = lena
    await person.button(/^Account: /).click()
    await person.button('User settings').click()
    await chooseSection(person, 'User settings', 'Your data')
    await person.button('Request a copy…').click()
    const asking = person.page.getByRole('dialog', { name: 'Request a copy of your data?' })
    await asking.getByLabel('Password').fill('wrong')
    await asking.getByRole('button', { name: 'Request copy' }).click()
    await asking.getByText('Password is wrong.').waitFor()
    person.complaints = []
    await asking.getByLabel('Password').fill(person.password)
    assert.deepEqual(await namelessParts(person.page), [])
    assert.deepEqual(await axeFindings(person.page, '[role=dialog]'), [])
    await asking.getByRole('button', { name: 'Request copy' }).click()
    await asking.waitFor({ state: 'detached' })
    await person.page.getByText(/^Your copy is ready/).waitFor()
    assert.equal(await person.button('Request a copy…').count(), 0)
    await person.picture('your-data')
    assert.deepEqual(
      [await namelessParts(person.page), await axeFindings(person.page, '[role=dialog]')],
      [[], []],
    )
  })

  test('EXPORT-10: it is downloaded as a ZIP', async () => {
    const { person } = lena
    const [download] = await Promise.all([
      person.page.waitForEvent('download'),
      person.button('Download').click(),
    ])
    assert.match(download.suggestedFilename(), /^foyer-account-\d{4}-\d\d-\d\d\.zip$/)
    zip = await readFile(await download.path())
    assert.deepEqual(person.complaints, [])
  })

  test('EXPORT-8: its pages open from the disk without a server, and run nothing', async () => {
    for (const [name, bytes] of await unpack(zip)) {
      const path = join(folder, name)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, bytes)
    }
    const context = await lena.person.context.browser()?.newContext({ offline: true })
    assert.ok(context)
    try {
      const page = await context.newPage()
      const asked: string[] = []
      const complaints: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      page.on('console', (message) => complaints.push(message.text()))
      await page.goto(pathToFileURL(join(folder, 'index.html')).href)
      assert.equal(await page.title(), 'Your data: lena')
      assert.deepEqual(await axeFindings(page, 'body'), [])
      await page.getByRole('link', { name: `${SPACE}: #general` }).click()
      await page.getByText('Who brings the map?').waitFor()
      await page.getByText(HOSTILE).waitFor()
      assert.equal(await page.getByText('I do.').count(), 0)
      assert.equal(await page.title(), `${SPACE}: #general`)
      await page.emulateMedia({ colorScheme: 'dark' })
      assert.deepEqual(await axeFindings(page, 'body'), [])
      await page.setViewportSize({ width: 390, height: 844 })
      assert.deepEqual(await overflowingParts(page), [])
      await page.getByRole('link', { name: 'All your data' }).first().click()
      await page.getByRole('heading', { name: 'Profile' }).waitFor()
      assert.ok(asked.every((url) => url.startsWith('file://')))
      assert.deepEqual(complaints, [])
    } finally {
      await context.close()
    }
  })
})
