import type { Person } from '../person.ts'
import { axeFindings, overflowingParts } from './looks.ts'
import { DESKTOP, NARROWEST, PHONE } from './visitor.ts'

/**
 * Takes pictures of a page on a desktop, and on a phone in the dark theme. Returns the findings of axe there, and the parts
 * that do not fit the narrowest phone.
 */
export async function findingsOn(person: Person, name: string): Promise<string[]> {
  const { page } = person
  const onDesktop = await axeFindings(page, 'html')
  await person.picture(name)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize(PHONE)
  const onPhone = await axeFindings(page, 'html')
  await person.picture(`${name}-phone`)
  await page.setViewportSize(NARROWEST)
  const overflowing = await overflowingParts(page)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(DESKTOP)
  return [...onDesktop, ...onPhone, ...overflowing]
}
