import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { UpdateRegistrationBody } from '@foyer/protocol/registration'
import { Administration } from '@foyer/sdk/api/administration'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { isFocused } from './keys.ts'
import type { Person } from './person.ts'
import { findingsOn } from './screens/fitting.ts'
import { gather, type Settled, settlePerson } from './settled.ts'
import { Stage } from './stage.ts'

const SENT = 'Your application has been sent'
const QUESTION = 'Who invited you, and which of our hikes would you like to join first?'
const CLOSED = 'This server isn’t accepting new accounts.'

/** The tests run in order: each continues where the previous one ended. */
describe('getting an account', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Settled
  let invite: string

  before(async () => {
    // Other files must not find the rules that these tests set.
    stage = await Stage.openOwn()
    mira = await settlePerson(await stage.person('mira'))
    const { space, general } = await gather('Sunday hikers', [mira])
    const { code } = await mira.client.invites.create(space.id, general.id)
    invite = `/invite/${code}`
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const setRules = (rules: UpdateRegistrationBody) =>
    mira.client.api(Administration).updateRegistration(rules)
  const heading = ({ page }: Person, name: string) => page.getByRole('heading', { name, exact: true })

  /** Opens the form as somebody does who has no link. */
  async function openForm(name: string): Promise<Person> {
    const person = await stage.person(name)
    await person.page.goto('/')
    await person.button('Create an account').click()
    return person
  }

  async function fillIn(person: Person, domain = 'example.org'): Promise<void> {
    await person.field('Username').fill(person.name)
    await person.field('Email').fill(`${person.name}@${domain}`)
    await person.page.getByLabel('Password').fill(person.password)
  }

  async function logIn(person: Person): Promise<void> {
    await person.field('Email or username').fill(person.name)
    await person.page.getByLabel('Password').fill(person.password)
    await person.button('Sign in').click()
  }

  test('REGISTRATION-20: on an open server with a rule for domains, the form says so', async () => {
    await setRules({ mode: 'open', domains: ['hikers.example'] })
    const olga = await openForm('olga')
    await olga.page.getByText('This server only accepts addresses at certain domains.').waitFor()
    assert.equal(await olga.field('Invite').count(), 0)
    assert.deepEqual(await findingsOn(olga, 'sign-up-domains'), [])
    await fillIn(olga)
    await olga.button('Create account').click()
    await olga.page.getByText('This server doesn’t accept email addresses at this domain.').waitFor()
    await eventually(() => isFocused(olga.field('Email')), true)
    await olga.takeRefusals(403)
    await olga.button('I have an invite').click()
    await eventually(() => isFocused(olga.field('Invite from an administrator')), true)
    const { code } = await mira.client.api(Administration).createInvite()
    await olga.field('Invite from an administrator').fill(code)
    assert.deepEqual(await findingsOn(olga, 'sign-up-operator-invite'), [])
    await olga.button('Create account').click()
    await heading(olga, 'Welcome, olga').waitFor()
    await setRules({ domains: [] })
  })

  test('REGISTRATION-20, REGISTRATION-21: where an invite is needed, the form asks for it', async () => {
    await setRules({ mode: 'invite' })
    const jonas = await openForm('jonas')
    await jonas.page.getByText('You need an invite to create an account on this server.').waitFor()
    await eventually(() => isFocused(jonas.field('Invite')), true)
    assert.deepEqual(await findingsOn(jonas, 'sign-up-invite'), [])
    await fillIn(jonas)
    await jonas.button('Create account').click()
    await jonas.page.getByText('Paste a link like …/invite/abc123, or just the code.').waitFor()
    await jonas.field('Invite').fill('nosuchcode')
    await jonas.button('Create account').click()
    await jonas.page.getByText('This invite doesn’t exist, has expired or was used up.').waitFor()
    await eventually(() => isFocused(jonas.field('Invite')), true)
    await jonas.picture('sign-up-invite-refused')
    await jonas.takeRefusals(403)
    await jonas.field('Invite').fill(stage.program.url + invite)
    await jonas.button('Create account').click()
    await heading(jonas, 'Welcome, jonas').waitFor()
  })

  test('REGISTRATION-21: the page of an invite does not ask for it', async () => {
    const kim = await stage.person('kim')
    await kim.page.goto(invite)
    await kim.field('Username').waitFor()
    assert.equal(await kim.field('Invite').count(), 0)
    await kim.signUp()
    await kim.composer('general').waitFor()
    assert.deepEqual(kim.complaints, [])
  })

  test('REGISTRATION-22: an applicant answers the question, and logs in once approved', async () => {
    await setRules({ mode: 'approval', question: QUESTION })
    const lena = await openForm('lena')
    await heading(lena, 'Apply for an account').waitFor()
    await fillIn(lena)
    await lena.button('Send application').click()
    await lena.page.getByText('Answer the question.').waitFor()
    const answer = lena.page.getByRole('group', { name: QUESTION }).getByLabel('Your answer')
    await answer.fill('x'.repeat(2001))
    await lena.page.getByText('1 character over the limit').waitFor()
    await lena.button('Send application').click()
    await eventually(() => isFocused(answer), true)
    await answer.fill('x'.repeat(1990))
    await lena.page.getByText('10 characters left').waitFor()
    await answer.fill('Mira did. The lakes!')
    assert.deepEqual(await findingsOn(lena, 'sign-up-approval'), [])
    await lena.button('Send application').click()
    await heading(lena, SENT).waitFor()
    await eventually(() => isFocused(heading(lena, SENT)), true)
    await lena.page.getByText('This server can’t send email.').waitFor()
    assert.deepEqual(await findingsOn(lena, 'sign-up-applied'), [])
    await lena.button('Back to sign in').click()
    await logIn(lena)
    await lena.page.getByText('Your account is waiting for approval').waitFor()
    await lena.picture('sign-in-waiting')
    await lena.takeRefusals(403, 403)
    const [application] = await mira.client.api(Administration).listRegistrations()
    assert.equal(application?.answer, 'Mira did. The lakes!')
    await mira.client.api(Administration).approveRegistration(application?.id ?? '')
    await lena.button('Sign in').click()
    await heading(lena, 'Welcome, lena').waitFor()
  })

  test('REGISTRATION-24: the link of an operator’s invite creates an account without an application', async () => {
    const { code } = await mira.client.api(Administration).createInvite()
    const rosa = await stage.person('rosa')
    await rosa.page.goto(`/sign-up/${code}`)
    await heading(rosa, 'Create your account').waitFor()
    assert.equal(await rosa.page.getByLabel('Your answer').count(), 0)
    await rosa.signUp()
    await heading(rosa, 'Welcome, rosa').waitFor()
    const sven = await stage.person('sven')
    await sven.page.goto(`/sign-up/${code}`)
    await sven.signUp()
    await heading(sven, 'Apply for an account').waitFor()
    await sven.page.getByRole('alert').filter({ hasText: 'Answer the administrators’ question.' }).waitFor()
    await sven.page.getByText('The invite in your link has expired or was used up.').waitFor()
    await sven.page.getByLabel('Your answer').waitFor()
    await sven.picture('sign-up-invite-used')
    await sven.takeRefusals(400)
  })

  test('REGISTRATION-22: an applicant on the page of an invite learns to open it again', async () => {
    const nils = await stage.person('nils')
    await nils.page.goto(invite)
    await nils.page.getByText('The administrators of this server review each new account.').waitFor()
    await fillIn(nils)
    await nils.page.getByLabel('Your answer').fill('I have a link.')
    assert.deepEqual(await findingsOn(nils, 'invite-approval'), [])
    await nils.button('Send application').click()
    await nils.page.getByText('Then open your invite link again to join.').waitFor()
    await nils.takeRefusals(403)
  })

  test('REGISTRATION-23: a form follows rules that changed after it was shown, and keeps what was typed', async () => {
    await setRules({ mode: 'open' })
    const otto = await openForm('otto')
    await fillIn(otto)
    await setRules({ mode: 'approval' })
    await otto.button('Create account').click()
    await otto.page.getByText('Answer the administrators’ question.').waitFor()
    await otto.page.getByLabel('Your answer').fill('I was here before.')
    assert.equal(await otto.field('Username').inputValue(), 'otto')
    await setRules({ mode: 'closed' })
    await otto.button('Send application').click()
    await heading(otto, 'Sign-up is closed').waitFor()
    await otto.takeRefusals(400, 403)
  })

  test('REGISTRATION-20: on a closed server there is no form, but a way to sign in', async () => {
    const paul = await openForm('paul')
    await heading(paul, 'Sign-up is closed').waitFor()
    await paul.page.getByText(CLOSED).waitFor()
    assert.equal(await paul.field('Username').count(), 0)
    assert.deepEqual(await findingsOn(paul, 'sign-up-closed'), [])
    await paul.button('Sign in instead').click()
    await paul.field('Email or username').waitFor()
    await paul.page.goto(invite)
    await paul.page.getByText(CLOSED).waitFor()
    assert.deepEqual(await findingsOn(paul, 'invite-closed'), [])
  })

  test('REGISTRATION-23: a locked account learns of it when it logs in', async () => {
    const [user] = await mira.client.api(Administration).findUsers({ query: 'jonas' })
    await mira.client.api(Administration).lockUser(user?.user.id ?? '')
    const jonas = await stage.person('jonas')
    await jonas.page.goto('/')
    await logIn(jonas)
    await jonas.page.getByText('This account has been locked by the administrators of this server.').waitFor()
    await jonas.takeRefusals(403)
  })
})
