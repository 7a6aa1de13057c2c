import type { Locator } from 'playwright-core'
import type { Screen, Visitor } from './visitor.ts'

function callBar({ person: { page } }: Visitor): Locator {
  return page.getByRole('region', { name: 'Call', exact: true })
}

/** Screens that need a microphone. */
export const VOICE: readonly Screen[] = [
  {
    name: 'recording',
    part: '.composer',
    async open(visitor) {
      await visitor.goToChannel('general')
      await visitor.person.button('Record a voice message').click()
      await visitor.person.page.getByText('Recording…').waitFor()
    },
    async close({ person }) {
      await person.page.keyboard.press('Escape')
      await person.composer('general').waitFor()
    },
  },
  {
    name: 'incoming-call',
    async open({ furnished: { jonas, paths }, person }) {
      await jonas.person.page.goto(paths.conversation)
      await jonas.person.button('Start call').click()
      await person.page.getByRole('alertdialog', { name: 'Jonas Weber is calling' }).waitFor()
    },
    close: ({ person }) => person.button('Accept').click(),
  },
  {
    name: 'call',
    async open(visitor) {
      await callBar(visitor).getByText('Jonas Weber').first().waitFor()
    },
    async close(visitor) {
      await callBar(visitor).getByRole('button', { name: 'Hang up' }).click()
      // The call ends for Jonas when he leaves his page.
      await visitor.furnished.jonas.person.page.goto('about:blank')
      await callBar(visitor).waitFor({ state: 'detached' })
    },
  },
  {
    name: 'in-voice-room',
    async open(visitor) {
      await visitor.go(visitor.furnished.paths.lounge)
      await visitor.person.page.getByRole('main').getByRole('button', { name: 'Join lounge' }).click()
      await visitor.person.page.getByRole('main').getByText('Mira Lindqvist').first().waitFor()
    },
    async close({ person }) {
      await person.button('Leave voice').first().click()
      await person.page.getByRole('main').getByRole('button', { name: 'Join lounge' }).waitFor()
    },
  },
]
