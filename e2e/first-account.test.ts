import { test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import { Stage } from './stage.ts'

const PROMISE = 'You’re the first one here, so this account will be the server administrator.'
const WITHOUT = 'All you need is a username, an email and a password.'

for (const [where, settings, lead] of [
  ['only its own machine can reach', {}, PROMISE],
  ['others can reach', { TRUSTED_PROXIES: '127.0.0.1' }, WITHOUT],
] as const)
  test(`OPERATOR-1: on a server that ${where}, the first page promises only what is so`, {
    skip: noBrowser,
  }, async () => {
    const stage = await Stage.openOwn(settings)
    try {
      const { page } = await stage.person('mira')
      await page.goto('/')
      await page.getByRole('heading', { name: 'Welcome to your new Foyer' }).waitFor()
      await page.getByText(lead).waitFor()
    } finally {
      await stage.close()
    }
  })
