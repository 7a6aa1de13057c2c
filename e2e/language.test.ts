import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { assertGerman } from './german.ts'
import type { Person } from './person.ts'
import { Stage } from './stage.ts'

describe('a browser with German as its language', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person

  before(async () => {
    stage = await Stage.openOwn()
    mira = await stage.speaker('mira', 'de-DE')
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const isGerman = (screen: string) => assertGerman(mira, screen)

  test('shows the sign-up in German', async () => {
    await mira.page.goto('/')
    await mira.field('Benutzername').fill('mira')
    assert.equal(await mira.page.locator('html').getAttribute('lang'), 'de-DE')
    await isGerman('the form for new accounts')
    await mira.picture('german-sign-up')
    await mira.field('E-Mail').fill('mira@example.org')
    await mira.page.getByLabel('Passwort', { exact: true }).fill('zu kurz')
    await mira.button('Konto erstellen').click()
    await mira.page.getByText('Nimm mindestens 8 Zeichen.').waitFor()
    await mira.page.getByLabel('Passwort', { exact: true }).fill(mira.password)
    await mira.button('Konto erstellen').click()
    await mira.page.getByRole('main').getByRole('button', { name: 'Space erstellen' }).click()
    await mira.field('Name des Space').fill('Sonntagswanderer')
    await isGerman('the dialog for spaces')
    await mira.page.getByRole('dialog').getByRole('button', { name: 'Space erstellen' }).click()
    await mira.field('Nachricht an #allgemein').waitFor()
  })

  test('shows rooms in German, with German times and numbers', async () => {
    const chooser = mira.page.waitForEvent('filechooser')
    await mira.button('Dateien anhängen').click()
    await (await chooser).setFiles({
      name: 'liste.bin',
      mimeType: 'application/x-list',
      buffer: Buffer.alloc(1536),
    })
    await mira.field('Nachricht an #allgemein').fill('Wer kommt mit?')
    await mira.field('Nachricht an #allgemein').press('Enter')
    await eventually(() => mira.outgoing(), 0)
    await mira.message('Wer kommt mit?').getByText('1,5 kB').waitFor()
    await mira.page.getByRole('log').getByText('Heute').waitFor()
    const time = mira.message('Wer kommt mit?').locator('time').first()
    assert.match((await time.getAttribute('title')) ?? '', /^\p{L}+, \d+\. \p{L}+ \d{4} um \d\d:\d\d$/u)
    await isGerman('a room')
    await mira.message('Wer kommt mit?').click({ button: 'right' })
    await mira.page.getByRole('menuitem', { name: 'Antworten' }).waitFor()
    await isGerman('the menu of a message')
    await mira.picture('german-room')
    await mira.page.keyboard.press('Escape')
  })

  test('searches with German and with English filters', async () => {
    await mira
      .field('Nachricht an #allgemein')
      .fill('Frag <@0198c0de-0000-7000-8000-000000000001> nach Kuchen')
    await mira.field('Nachricht an #allgemein').press('Enter')
    await eventually(() => mira.outgoing(), 0)
    await mira.button('Nachrichten durchsuchen').click()
    const box = mira.page.getByRole('combobox', { name: 'Sonntagswanderer durchsuchen' })
    await box.fill('ha')
    await mira.page.getByRole('option', { name: 'hat: Link, Datei' }).click()
    await mira.page.getByRole('option', { name: 'Bild' }).waitFor()
    await isGerman('the search')
    await mira.picture('german-search')
    await box.fill('has:fil')
    await box.press('Enter')
    await mira.button('Filter hat: Datei entfernen').waitFor()
    await mira.page.getByRole('complementary').getByText('Wer kommt mit?').waitFor()
    await mira.button('Filter hat: Datei entfernen').click()
    await box.fill('Kuchen')
    await box.press('Enter')
    await mira.page.getByRole('complementary').getByText('Frag @unbekannt nach').waitFor()
    await isGerman('what was found')
    await mira.button('Suche schließen').click()
  })

  test('shows all settings in German', async () => {
    await mira.button('Sonntagswanderer, Menü des Space').click()
    await mira.page.getByRole('menuitem', { name: 'Einstellungen des Space' }).click()
    for (const section of ['Überblick', 'Rollen', 'Emojis', 'Einladungen', 'Speicher']) {
      await openSection(section)
      await isGerman(`the settings of a space, ${section}`)
    }
    await mira.page.keyboard.press('Escape')
    await mira.page.getByRole('dialog').waitFor({ state: 'detached' })
    await mira.button(/^Konto: /).click()
    await mira.button('Einstellungen').click()
    for (const section of ['Konto', 'Sitzungen', 'Benachrichtigungen', 'Anwendungen', 'Aussehen']) {
      await openSection(section)
      await isGerman(`one's own settings, ${section}`)
    }
    await mira.picture('german-settings')
  })

  test('switches to English when that is chosen, and keeps the draft', async () => {
    await mira.page.keyboard.press('Escape')
    await mira.page.getByRole('dialog').waitFor({ state: 'detached' })
    await mira.field('Nachricht an #allgemein').fill('Noch nicht fertig')
    await mira.button(/^Konto: /).click()
    await mira.button('Einstellungen').click()
    await openSection('Aussehen')
    await mira.page.getByLabel('Sprache', { exact: true }).selectOption('English')
    await eventually(() => mira.composer('allgemein').inputValue(), 'Noch nicht fertig')
    assert.equal(await mira.page.locator('html').getAttribute('lang'), 'en')
    await mira.page.reload()
    await mira.page.getByRole('log').getByText('Today').waitFor()
  })

  test('shows times by the chosen clock, and by the default one again', async () => {
    const time = () => mira.message('Wer kommt mit?').locator('.message-time').innerText()
    for (const [clock, written] of [
      ['24-hour clock', /^\d\d:\d\d$/],
      ['12-hour clock', /^\d+:\d\d\s[AP]M$/],
      ['Language default', /^\d+:\d\d\s[AP]M$/],
    ] as const) {
      await mira.button(/^Account: /).click()
      await mira.button('User settings').click()
      await openSection('Appearance')
      await mira.page.getByLabel('Time format', { exact: true }).selectOption(clock)
      await mira.page.getByRole('dialog').waitFor({ state: 'detached' })
      assert.match(await time(), written)
    }
    assert.deepEqual(mira.complaints, [])
  })

  async function openSection(name: string): Promise<void> {
    const dialog = mira.page.getByRole('dialog')
    await dialog.getByRole('navigation').getByRole('button', { name, exact: true }).click()
    await dialog.getByRole('heading', { level: 3, name }).waitFor()
  }
})
