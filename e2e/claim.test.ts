import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { Administration } from '@foyer/sdk/api/administration'
import { Client } from '@foyer/sdk/client'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { isFocused, Keys } from './keys.ts'
import type { Person } from './person.ts'
import { findingsOn } from './screens/fitting.ts'
import { type Settled, settlePerson } from './settled.ts'
import { Stage } from './stage.ts'

const TITLE = 'Become the administrator of this server'
const DONE = 'You’re the administrator of this server now'
const HAS_OPERATOR = 'This server already has an administrator'

/** The tests run in order: each continues where the previous one ended. */
describe('the link for the operator of a server that others can reach', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  let jonas: Settled
  let lena: Settled

  before(async () => {
    stage = await Stage.openOwn({ TRUSTED_PROXIES: '127.0.0.1', REGISTRATION: 'closed' })
    mira = await stage.person('mira')
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const heading = ({ page }: Person, name: string) => page.getByRole('heading', { name, exact: true })

  /** Returns the path and the fragment of the link that the server keeps now. */
  async function readLink(): Promise<string> {
    const { pathname, hash } = new URL((await readFile(join(stage.dataDir, 'operator-link'), 'utf8')).trim())
    return pathname + hash
  }

  /** Signs in with the SDK. */
  async function clientOf({ name, password }: Person): Promise<Client> {
    const client = new Client({ baseUrl: stage.program.url })
    await client.auth.login({ email: name, password })
    return client
  }

  /** The operator deletes their account, so that the server makes another link. */
  async function leaveServer(person: Person): Promise<void> {
    const { users, instance } = await clientOf(person)
    await users.deleteMe({ password: person.password })
    await eventually(async () => (await instance.get()).awaits_operator, true)
  }

  /** Lists requests to which the link's token was given. */
  function receiversOf({ page }: Person, token: string): string[] {
    const receivers: string[] = []
    page.on('request', (request) => {
      const sent = [request.url(), request.postData() ?? '', JSON.stringify(request.headers())]
      if (sent.some((text) => text.includes(token))) receivers.push(request.url())
    })
    return receivers
  }

  test('OPERATOR-20, REGISTRATION-20: the first page says where the link is, and has no form if nobody can sign up', async () => {
    await mira.page.goto('/')
    await heading(mira, 'Welcome to your new Foyer').waitFor()
    await mira.page.getByText('This server isn’t accepting new accounts.').waitFor()
    await mira.page.getByText('operator-link').waitFor()
    assert.equal(await mira.field('Username').count(), 0)
    assert.deepEqual(await findingsOn(mira, 'operator-awaited'), [])
  })

  test('OPERATOR-22: a link without a token, or with a wrong one, says so', async () => {
    await mira.page.goto('/claim')
    await heading(mira, 'This link is incomplete').waitFor()
    assert.deepEqual(await findingsOn(mira, 'claim-incomplete'), [])
    await mira.page.goto('/claim#guess')
    await heading(mira, TITLE).waitFor()
    await mira.signUp()
    await heading(mira, 'This link doesn’t work').waitFor()
    await mira.takeRefusals(403)
  })

  test('OPERATOR-21, CONSOLE-21: it creates an account whatever the rules are, its token goes to this server alone, and it leads to the setup', async () => {
    const link = await readLink()
    const [, token = ''] = link.split('#')
    const receivers = receiversOf(mira, token)
    await mira.page.goto(link)
    await heading(mira, TITLE).waitFor()
    await eventually(() => mira.page.url(), `${stage.program.url}/claim`)
    assert.equal(await mira.button('Sign in instead').count(), 0, 'nobody has an account')
    assert.deepEqual(await findingsOn(mira, 'claim'), [])
    await mira.signUp()
    await heading(mira, DONE).waitFor()
    await eventually(() => isFocused(heading(mira, DONE)), true)
    assert.deepEqual(
      receivers.map((url) => new URL(url).pathname),
      ['/api/auth/signin', '/api/operator/claim'],
    )
    assert.ok(receivers.every((url) => url.startsWith(stage.program.url)))
    assert.deepEqual(await findingsOn(mira, 'claim-done'), [])
    assert.equal(
      await mira.page.getByRole('link', { name: 'Set up the server' }).getAttribute('href'),
      '/operator/setup',
    )
    await mira.page.getByRole('link', { name: 'Continue to Foyer' }).click()
    await mira.page.getByText('Your server is ready.').waitFor()
    assert.equal((await (await clientOf(mira)).api(Administration).list()).length, 1)
    assert.deepEqual(mira.complaints, [])
  })

  test('OPERATOR-22: the link of a server with an operator says that it no longer works', async () => {
    const operator = (await clientOf(mira)).api(Administration)
    await operator.updateRegistration({ mode: 'open' })
    jonas = await settlePerson(await stage.person('jonas'))
    lena = await settlePerson(await stage.person('lena'))
    await jonas.person.page.goto('/claim#guess')
    await heading(jonas.person, HAS_OPERATOR).waitFor()
    assert.deepEqual(await findingsOn(jonas.person, 'claim-late'), [])
  })

  test('OPERATOR-20: the page to sign in says where the link is while there is no operator', async () => {
    await leaveServer(mira)
    const kim = await stage.person('kim')
    await kim.page.goto('/')
    await heading(kim, 'Welcome back').waitFor()
    await kim.page.getByText('operator-link').waitFor()
    assert.deepEqual(await findingsOn(kim, 'sign-in-operator-awaited'), [])
    const uwe = await stage.speaker('uwe', 'de')
    await uwe.page.goto('/claim#guess')
    await heading(uwe, 'Diesen Server betreiben').waitFor()
    assert.deepEqual(await findingsOn(uwe, 'claim-german'), [])
  })

  test('OPERATOR-21: it names the account that is signed in, and another one can log in and take the server', async () => {
    const { person } = jonas
    await person.page.goto(await readLink())
    await person.page.getByText('@jonas').waitFor()
    assert.deepEqual(await findingsOn(person, 'claim-signed-in'), [])
    await person.button('Use another account').click()
    await person.button('Sign in instead').click()
    await person.field('Email or username').fill('lena')
    await person.page.getByLabel('Password').fill(person.password)
    await person.button('Sign in').click()
    await heading(person, DONE).waitFor()
    const [operator] = await lena.client.api(Administration).list()
    assert.equal(operator?.user.username, 'lena')
    await person.page.goto('/')
    await person.signOut()
  })

  test('OPERATOR-21: a tab that signs in elsewhere makes nobody the operator', async () => {
    await leaveServer(lena.person)
    const { person } = jonas
    await person.page.goto(await readLink())
    await person.button('Sign in instead').waitFor()
    const tab = await person.context.newPage()
    await tab.goto('/')
    await tab.getByRole('textbox', { name: 'Email or username' }).fill('jonas')
    await tab.getByLabel('Password').fill(person.password)
    await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
    await person.page.getByText('@jonas').waitFor()
    await tab.close()
    const { instance } = await clientOf(person)
    assert.equal((await instance.get()).awaits_operator, true)
  })

  test('OPERATOR-22: a server that is not reached, and a wrong token, are said below the button', async () => {
    const { person } = jonas
    const alert = person.page.getByRole('alert')
    await person.context.setOffline(true)
    await person.button('Become the administrator').click()
    await alert.filter({ hasText: 'Can’t reach the server.' }).waitFor()
    await person.context.setOffline(false)
    await person.page.goto('/claim#guess')
    await person.button('Become the administrator').click()
    await alert.filter({ hasText: 'Open the newest one that the server printed.' }).waitFor()
    assert.deepEqual(await findingsOn(person, 'claim-wrong'), [])
    person.forgiveOutage()
    await person.takeRefusals(400)
  })

  test('OPERATOR-21: the keyboard alone makes the signed-in user the operator, also by a link opened in the same tab', async () => {
    const { person } = jonas
    await person.page.goto(await readLink())
    await person.page.getByRole('alert').waitFor({ state: 'detached' })
    assert.equal(person.page.url(), `${stage.program.url}/claim`)
    await new Keys(person.page).use(person.button('Become the administrator'))
    await heading(person, DONE).waitFor()
    assert.equal((await (await clientOf(person)).api(Administration).list()).length, 1)
    assert.deepEqual(person.complaints, [])
  })
})
