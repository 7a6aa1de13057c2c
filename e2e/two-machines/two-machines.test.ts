import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { Opcode } from '@foyer/protocol/gateway'
import type { Browser, Page } from 'playwright-core'
import { withoutPebble } from '../../apps/server/test/tls/pebble.ts'
import { choose, isDrawn, send, shown, stored } from '../attaching.ts'
import { plugIn } from '../authenticator.ts'
import { noBrowser } from '../chromium-files.ts'
import { CONSOLE } from '../console.ts'
import { eventually } from '../eventually.ts'
import { Person } from '../person.ts'
import { picture } from '../sample-files.ts'
import { chooseSection, closeSettings } from '../settings.ts'
import { tokensOf } from '../signed-in.ts'
import { adapt, EXAMPLE, readInstructions, readProviderExample } from './instructions.ts'
import { openSurroundings, type Surroundings } from './surroundings.ts'

const MESSAGES = ['The forecast for Sunday looks good.', 'This is where we go:']
const ROOMS = ['Text rooms', 'general', 'tours', 'Voice rooms', 'lounge']
const ridge = picture('ridge.png', { width: 600, height: 400, sky: [70, 120, 200] })

/**
 * An operator follows the README from a bare machine to a second one that goes on in its place. The tests run in order:
 * each continues where the previous one ended.
 */
describe('the README’s steps for others', { skip: noBrowser || withoutPebble }, () => {
  const words = readInstructions()
  const people: Person[] = []
  const browsers: Browser[] = []
  let surroundings: Surroundings
  let nora: Person
  /** Position of Nora's browser in the events of the first machine. */
  let position = ''

  before(async () => {
    surroundings = await openSurroundings()
  })

  afterEach(async (context) => {
    if ('passed' in context && context.passed !== false) return
    const test = context.name.replaceAll(/\W+/g, '-')
    for (const person of people) await person.picture(`failed-${test}-${person.name}`)
    for (const { output } of surroundings.machines) process.stderr.write(output)
  })
  after(async () => {
    for (const browser of browsers) await browser.close()
    await surroundings?.close()
  })

  const first = () => surroundings.machines[0]
  const second = () => surroundings.machines[1]
  const own = (text: string) => adapt(text, { [EXAMPLE.backups]: surroundings.backups })
  const rooms = ({ page }: Person) => page.getByRole('navigation', { name: 'Rooms' }).locator('h2, a')

  /** A person with a browser in which the machine is found. */
  async function arrive(name: string, machine = first()): Promise<Person> {
    const browser = await surroundings.openBrowser(machine)
    browsers.push(browser)
    const person = await Person.arrive({ browser, name, url: machine.url })
    people.push(person)
    return person
  }

  test('OPS-9: the settings and the start lead to a server with HTTPS, and its link to the operator’s account', async (context) => {
    if (surroundings.trouble !== undefined) context.diagnostic(surroundings.trouble)
    const machine = first()
    await machine.set(own(adapt(words.settings, { [EXAMPLE.url]: machine.url })))
    await machine.set(...surroundings.settings, ...machine.place.settings)
    await machine.start(words.start)
    const [link = ''] = await machine.logged(/open (https:\S+) to become its operator/)
    assert.equal(new URL(link).origin, machine.url)
    nora = await arrive('nora')
    nora.page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        position = /"s":"([\w-]+)"/.exec(String(payload))?.[1] ?? position
      }),
    )
    await nora.page.goto(link)
    await nora.signUp()
    await nora.page.getByRole('link', { name: 'Continue to Foyer' }).click()
    await nora.page.getByText('Your server is ready.').waitFor()
  })

  test('OPS-9: the operator opens a space with rooms, and writes', async () => {
    await nora.createSpace('Sunday hikers')
    await nora.button('Sunday hikers, space menu').click()
    await nora.page.getByRole('menuitem', { name: 'Create room' }).click()
    await nora.field('Name').fill('tours')
    await nora.button('Create room').click()
    await nora.composer('tours').waitFor()
    await nora.room('general').click()
    await nora.composer('general').waitFor()
    const [text = '', caption = ''] = MESSAGES
    await send(nora, text)
    await choose(nora, ridge)
    await eventually(() => stored(nora), 1)
    await send(nora, caption)
    await shown(nora, 'ridge.png').waitFor()
    assert.deepEqual(await rooms(nora).allInnerTexts(), ROOMS)
  })

  test('OPS-9, PASSKEY-2: the operator adds a passkey, which is then enough to log in', async () => {
    await plugIn(await nora.context.newCDPSession(nora.page))
    await nora.button(/^Account: /).click()
    await nora.button('User settings').click()
    await chooseSection(nora, 'User settings', 'Account')
    await nora.button('Add a passkey…').click()
    const adding = nora.page.getByRole('dialog', { name: 'Add a passkey', exact: true })
    await adding.getByLabel('Your password').fill(nora.password)
    await adding.getByRole('button', { name: 'Continue' }).click()
    await adding.getByRole('button', { name: 'Create passkey' }).click()
    await adding.waitFor({ state: 'detached' })
    await closeSettings(nora, 'User settings')
    // The device answers the offer in the field by itself.
    const login = nora.page.waitForResponse('**/api/auth/passkeys/login')
    await nora.signOut()
    assert.equal((await login).status(), 200)
    await nora.button(/^Account: nora/).waitFor()
  })

  test('OPS-9, OIDC-5: after a restart with a provider, people sign up and log in with it', async () => {
    const machine = first()
    const { issuer, clientId = '', clientSecret = '' } = surroundings.provider.settings
    await surroundings.provider.serve(machine.url)
    const own = { issuer, client_id: clientId, client_secret: clientSecret }
    await machine.write('providers.json', JSON.stringify([{ ...readProviderExample(), ...own }]))
    await machine.set(words.providerSetting)
    await machine.stop()
    await machine.start(words.start)
    const lena = await arrive('lena')
    await lena.page.goto('/')
    await lena.page.getByRole('link', { name: 'Continue with Example login' }).click()
    await lena.page.locator('input[name=login]').fill('lena')
    await lena.page.locator('input[name=password]').fill('any')
    await lena.page.getByRole('button', { name: 'Sign-in' }).click()
    await lena.page.getByRole('button', { name: 'Continue' }).click()
    await lena.button('Create account').click()
    await lena.button(/^Account: lena/).waitFor()
    await lena.signOut()
    await lena.page.getByRole('link', { name: 'Continue with Example login' }).click()
    await lena.button(/^Account: lena/).waitFor()
  })

  test('OPS-9: backups are on, and one more is made by hand', async () => {
    assert.match(await first().run(words.backUp), /Z in .*backups: \d+ rows/)
    await nora.page.goto('/operator/backups')
    const section = nora.page.getByRole('dialog', { name: CONSOLE })
    await section.getByText(`Location: ${surroundings.backups}`).waitFor()
    await section.getByText(/^from the command line/).waitFor()
  })

  /** Resumes a session of the first machine. @returns the opcode of the answer */
  function resumeFrom(page: Page, { accessToken, sessionToken }: Awaited<ReturnType<typeof tokensOf>>) {
    assert.match(position, /^[\da-f-]{36}$/)
    const d = { token: accessToken, session_token: sessionToken, s: position }
    return page.evaluate(
      ([frame, hello]) => {
        const { promise, resolve, reject } = Promise.withResolvers<number>()
        const socket = new WebSocket('/gateway?v=1')
        socket.onopen = () => socket.send(frame)
        socket.onclose = ({ code }) => reject(new Error(`closed with ${code}`))
        socket.onmessage = ({ data }) => {
          const { op }: { op: number } = JSON.parse(data)
          if (op !== hello) resolve(op)
        }
        return promise.finally(() => socket.close())
      },
      [JSON.stringify({ op: Opcode.Resume, d }), Opcode.Hello] as const,
    )
  }

  test('OPS-9, RESTORE-6: a restore on a second machine has the same rooms, messages and files', async () => {
    const tokens = await tokensOf(nora.page)
    await first().stop()
    const machine = second()
    await machine.set(own(adapt(words.settings, { [EXAMPLE.url]: machine.url })))
    await machine.set(...surroundings.settings, ...machine.place.settings)
    assert.match(await machine.run(own(words.restore)), /^restored /m)
    await machine.start(words.goOn)
    const again = await arrive('nora', machine)
    await again.page.goto('/')
    assert.equal(await resumeFrom(again.page, tokens), Opcode.InvalidSession)
    await again.field('Email or username').fill('nora')
    await again.page.getByLabel('Password', { exact: true }).fill(again.password)
    await again.button('Sign in').click()
    await again.page.getByRole('link', { name: 'Sunday hikers' }).click()
    await again.composer('general').waitFor()
    await eventually(() => rooms(again).allInnerTexts(), ROOMS)
    await eventually(() => again.history(), MESSAGES)
    await eventually(() => isDrawn(shown(again, 'ridge.png')), true)
    assert.deepEqual(again.complaints, [])
  })
})
