import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import { settle } from './settled.ts'
import { Stage } from './stage.ts'

describe('a server that asks for a puzzle', { skip: noBrowser }, () => {
  let stage: Stage

  before(async () => {
    stage = await Stage.openOwn({ RATE_LIMITS: 'on', SIGNUP_PUZZLE: 'always' })
    await settle(stage, 'ada')
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  test('PUZZLE-9: a user who is faster than the puzzle sees why it takes a while, and has an account then', async () => {
    const mira = await stage.person('mira')
    await mira.page.goto('/')
    await mira.button('Create an account').click()
    await mira.signUp()
    await mira.page.getByRole('status').getByText('Checking that you’re not a bot…').waitFor()
    await mira.picture('puzzle')
    await mira.page.getByRole('heading', { name: 'Welcome, mira' }).waitFor()
    assert.deepEqual(mira.complaints, [])
  })

  test('PUZZLE-9: the puzzle is solved while the user fills in the form, and a second one is not needed', async () => {
    const jonas = await stage.person('jonas')
    const asked: string[] = []
    jonas.page.on('request', (request) => {
      if (request.url().includes('/api/auth/')) asked.push(new URL(request.url()).pathname)
    })
    await jonas.page.goto('/')
    const begun = jonas.page.waitForEvent('worker')
    await jonas.button('Create an account').click()
    // A worker is ended once all of them are done.
    const worker = await begun
    await worker.waitForEvent('close')
    await jonas.signUp()
    await jonas.page.getByRole('heading', { name: 'Welcome, jonas' }).waitFor()
    assert.deepEqual(asked, ['/api/auth/puzzle', '/api/auth/signin'])
  })

  test('PUZZLE-6: after a username that is taken, the solution is used with another one', async () => {
    const lena = await stage.person('lena')
    const asked: string[] = []
    lena.page.on('request', (request) => {
      if (request.url().includes('/api/auth/')) asked.push(new URL(request.url()).pathname)
    })
    await lena.page.goto('/')
    await lena.button('Create an account').click()
    await lena.field('Username').fill('ada')
    await lena.field('Email').fill('lena@example.org')
    await lena.page.getByLabel('Password').fill(lena.password)
    await lena.button('Create account').click()
    await lena.page.getByText('Username is taken.').waitFor()
    await lena.field('Username').fill('lena')
    await lena.button('Create account').click()
    await lena.page.getByRole('heading', { name: 'Welcome, lena' }).waitFor()
    assert.deepEqual(asked, ['/api/auth/puzzle', '/api/auth/signin', '/api/auth/signin'])
  })
})
