import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { type FakeS3, startFakeS3 } from '../apps/server/test/object-storage/fake-s3.ts'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { isFocused } from './keys.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { picture } from './sample-files.ts'
import { chooseFiles, chooseSection, closeSettings, openSpaceSettings } from './settings.ts'
import { settle } from './settled.ts'
import { Stage } from './stage.ts'

const SPACE = 'Sunday hikers'
const SUNRISE = picture('sunrise.png', { width: 200, height: 120, sky: [255, 170, 110] })

/** The tests run in order: each continues where the previous one ended. */
describe('the storage of a space', { skip: noBrowser }, () => {
  let stage: Stage
  let s3: FakeS3
  let mira: Person
  let dialog: Locator

  before(async () => {
    s3 = await startFakeS3()
    stage = await Stage.openOwn({ ALLOWED_PRIVATE_HOSTS: '127.0.0.1' })
    const host = await settle(stage, 'mira')
    mira = host.person
    // A space created through the API has no storage.
    const { space } = await host.client.spaces.create({ name: SPACE })
    await mira.page.goto(`/spaces/${space.id}`)
    await mira.composer('general').waitFor()
  })

  afterEach((context) => stage.keepFailure(context))
  after(async () => {
    await stage?.close()
    await s3?.close()
  })

  async function fillIn(): Promise<void> {
    const { endpoint, bucketName, region, accessKeyId, secretAccessKey } = s3.settings()
    await mira.field('Name').fill('Our bucket')
    await mira.field('Endpoint').fill(endpoint)
    await mira.field('Bucket').fill(bucketName)
    await mira.field('Region').fill(region)
    await mira.field('Access key ID').fill(accessKeyId)
    await mira.page.getByLabel('Secret access key').fill(secretAccessKey)
  }

  test('the form names missing fields before anything is sent', async () => {
    dialog = await openSpaceSettings(mira, SPACE, 'Storage')
    await dialog.getByRole('heading', { name: 'No storage yet' }).waitFor()
    await mira.picture('storage-empty')
    await mira.button('Connect a bucket').click()
    await mira.field('Storage limit').fill('much')
    await mira.button('Add bucket').click()
    await dialog.getByText('Enter the URL of the object store.').waitFor()
    await dialog.getByText('Enter a number above 0, or leave empty for no limit.').waitFor()
    await mira.field('Storage limit').fill('')
    await mira.page.getByText('Required bucket settings').click()
    await dialog.getByText('"AllowedOrigins"').waitFor()
    await mira.picture('storage-form')
    assert.deepEqual(await namelessParts(mira.page), [])
    assert.deepEqual(mira.complaints, [])
  })

  test('an error of the server is shown at its field, and nothing is added', async () => {
    await fillIn()
    await mira.field('Endpoint').fill('ftp://s3.example.org')
    await mira.button('Test connection').click()
    await dialog.getByText('Invalid storage configuration: endpoint must be a URL').waitFor()
    assert.equal(await mira.field('Endpoint').getAttribute('aria-invalid'), 'true')
    await mira.takeRefusals(400)
    await mira.field('Endpoint').fill(s3.settings().endpoint)
    await dialog.getByRole('switch', { name: 'Path-style URLs' }).click()
    await mira.button('Test connection').click()
    await dialog
      .getByText(/^The bucket works with these settings, but browsers can’t upload directly/)
      .waitFor()
    assert.equal(await isFocused(mira.button('Test connection')), true)
    assert.equal(s3.objects.size, 0, 'what was tried is cleaned up')
    await mira.button('Back to storage').click()
    await mira.page
      .getByRole('alertdialog', { name: 'Discard your changes?' })
      .getByRole('button', { name: 'Cancel' })
      .click()
    await mira.button('Add bucket').click()
    await dialog.getByText(/^a-bucket at 127\.0\.0\.1/).waitFor()
    await dialog.getByRole('switch', { name: 'In use', checked: true }).waitFor()
    await mira.picture('storage-bucket')
    assert.deepEqual(await namelessParts(mira.page), [])
  })

  test('a bucket that refuses browsers shows the missing CORS rule, until it is fixed and saved', async () => {
    const notice = dialog.getByText('Uploads go through the server', { exact: true })
    await notice.click()
    await dialog.getByText('"AllowedOrigins"').waitFor()
    await mira.picture('storage-cors')
    s3.allowedOrigin = stage.program.url
    await mira.button('Edit Our bucket').click()
    await mira.button('Save bucket').click()
    await dialog.getByRole('switch', { name: 'In use', checked: true }).waitFor()
    await eventually(() => notice.count(), 0)
  })

  test('pictures are stored in the bucket and shown from there', async () => {
    await chooseSection(mira, SPACE, 'Emoji')
    await chooseFiles(mira.button('Add emoji'), [SUNRISE])
    const image = dialog.getByRole('img', { name: ':sunrise:' })
    await eventually(
      () =>
        image.evaluateAll((images) =>
          images.map((img) => (img instanceof HTMLImageElement ? img.naturalWidth : 0)),
        ),
      [128],
    )
    assert.equal(s3.objects.size, 1)
  })

  test('only changed fields are sent, and the secret stays', async () => {
    await chooseSection(mira, SPACE, 'Storage')
    await mira.button('Edit Our bucket').click()
    assert.equal(await mira.page.getByLabel('Secret access key').inputValue(), '')
    await mira.field('Name').fill('Their bucket')
    await mira.field('Storage limit').fill('1.5')
    await mira.page.getByLabel('Unit for Storage limit').selectOption('TB')
    await mira.button('Save bucket').click()
    await dialog.getByText(/ of 1\.5 TB used/).waitFor()
    await mira.button('Test connection to Their bucket').click()
    await dialog.getByText('The connection works.').waitFor()
    s3.secretAccessKey = 'another-one'
    await mira.button('Test connection to Their bucket').click()
    await dialog
      .getByRole('alert')
      .getByText(/^Invalid storage configuration: /)
      .waitFor()
    await mira.takeRefusals(400)
    s3.secretAccessKey = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYFAKEKEY'
  })

  test('one storage is active at a time, and the included one at once if there is none', async () => {
    await mira.button('Add the server’s storage').waitFor()
    const buckets = dialog.getByRole('list', { name: 'Storage' }).getByRole('listitem')
    const inUse = (name: string) => buckets.filter({ hasText: name }).getByRole('switch', { name: 'In use' })
    await inUse('Their bucket').click()
    await mira.button('Use the server’s storage').click()
    await eventually(() => buckets.count(), 2)
    await eventually(() => isFocused(mira.button('Connect a bucket')), true)
    await eventually(() => inUse('Included storage').isChecked(), true)
    await inUse('Their bucket').click()
    await eventually(() => inUse('Included storage').isChecked(), false)
    await inUse('Included storage').click()
    await eventually(() => inUse('Included storage').isChecked(), true)
    await eventually(() => inUse('Their bucket').isChecked(), false)
    await mira.picture('storage-two')
  })

  test('it looks right in the dark theme and on a phone', async () => {
    const { page } = mira
    await page.emulateMedia({ colorScheme: 'dark' })
    await mira.picture('storage-dark')
    await closeSettings(mira, SPACE)
    await page.setViewportSize({ width: 390, height: 844 })
    await mira.button('Open spaces and rooms').click()
    dialog = await openSpaceSettings(mira, SPACE, 'Storage')
    await dialog.getByRole('list', { name: 'Storage' }).waitFor()
    await mira.picture('storage-phone-dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await mira.button('Edit Their bucket').click()
    await mira.picture('storage-form-phone')
    assert.deepEqual(await namelessParts(page), [])
    await mira.button('Back to storage').click()
    await eventually(() => isFocused(mira.button('Connect a bucket')), true)
  })

  test('a storage is deleted with its files after its name is typed', async () => {
    await mira.button('Delete Their bucket').click()
    const question = mira.page.getByRole('dialog', { name: 'Delete Their bucket?' })
    await question.getByText(/^This deletes 1 file \(.*\) for everyone\./).waitFor()
    await question.getByRole('button', { name: 'Delete storage' }).click()
    await question.getByText('That doesn’t match. Type “Their bucket” exactly as shown.').waitFor()
    await mira.picture('storage-delete')
    assert.deepEqual(await namelessParts(mira.page), [])
    await mira.field('Type “Their bucket” to confirm').fill('Their bucket')
    await question.getByRole('button', { name: 'Delete storage' }).click()
    await eventually(() => dialog.getByRole('listitem').count(), 1)
    await mira.button('All settings').click()
    await chooseSection(mira, SPACE, 'Emoji')
    await dialog.getByRole('heading', { name: 'No custom emoji yet' }).waitFor()
    await eventually(() => s3.objects.size, 0)
  })

  test('the console has no errors', () => {
    assert.deepEqual(mira.complaints, [])
  })
})
