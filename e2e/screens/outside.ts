import type { Screen, Visitor } from './visitor.ts'

async function load({ person }: Visitor, path: string): Promise<void> {
  await person.page.goto(path)
  await person.page.getByRole('heading', { level: 1 }).waitFor()
}

/** Screens of visitors who are not signed in. */
export const OUTSIDE: readonly Screen[] = [
  { name: 'sign-in', open: (visitor) => load(visitor, '/') },
  {
    name: 'sign-up',
    async open(visitor) {
      await load(visitor, '/')
      await visitor.person.button('Create an account').click()
      await visitor.person.field('Username').waitFor()
    },
  },
  {
    name: 'sign-up-refused',
    async open(visitor) {
      const { person } = visitor
      await load(visitor, '/')
      await person.button('Create an account').click()
      await person.button('Create account').click()
      await person.page.locator('.field-error').first().waitFor()
    },
  },
  { name: 'forgot-password', open: (visitor) => load(visitor, '/forgot-password') },
  { name: 'reset-password', open: (visitor) => load(visitor, '/reset-password?token=abc') },
  { name: 'way-back-without-token', open: (visitor) => load(visitor, '/way-back') },
  { name: 'verify-without-token', open: (visitor) => load(visitor, '/verify') },
  { name: 'claim-without-token', open: (visitor) => load(visitor, '/claim') },
  { name: 'invite', open: (visitor) => load(visitor, visitor.furnished.paths.invite) },
  { name: 'claim-late', open: (visitor) => load(visitor, '/claim#abc') },
  { name: 'invite-ended', open: (visitor) => load(visitor, '/invite/nosuchcode') },
]
