import { SPACE } from './furnished.ts'
import type { Screen, Visitor } from './visitor.ts'

async function spaceMenu(visitor: Visitor): Promise<void> {
  await visitor.goToChannel('general')
  await visitor.sidebar()
  await visitor.person.button(`${SPACE}, space menu`).click()
  await visitor.person.page.getByRole('menu').waitFor()
}

async function account(visitor: Visitor): Promise<void> {
  await visitor.goToChannel('general')
  await visitor.sidebar()
  await visitor.person.button(/^Account: /).click()
  await visitor.dialog('Your account').waitFor()
}

/** Menus and dialogs that open from the sidebar or the home page. */
export const DIALOGS: readonly Screen[] = [
  { name: 'space-menu', open: spaceMenu },
  {
    name: 'create-room',
    async open(visitor) {
      await spaceMenu(visitor)
      await visitor.clickMenu('Create room')
      await visitor.dialog('Create a room').waitFor()
    },
  },
  {
    name: 'invite-people',
    async open(visitor) {
      await spaceMenu(visitor)
      await visitor.clickMenu('Invite people')
      await visitor.person.field('Invite link').waitFor()
    },
  },
  {
    name: 'create-space',
    async open(visitor) {
      await visitor.go('/home')
      await visitor.person.page.getByRole('main').getByRole('button', { name: 'Create a space' }).click()
      await visitor.person.field('Space name').waitFor()
    },
  },
  {
    name: 'new-conversation',
    async open(visitor) {
      await visitor.go('/home')
      await visitor.sidebar()
      await visitor.person.button('New message').click()
      await visitor.person.page.getByRole('checkbox').first().waitFor()
    },
  },
  { name: 'account', open: account },
]
