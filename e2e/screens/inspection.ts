import type { Page } from 'playwright-core'
import type { Person } from '../person.ts'
import { isForDocumentation } from '../pictures.ts'
import { axeFindings, overflowingParts } from './looks.ts'
import { DESKTOP, NARROWEST, PHONE, type Visitor } from './visitor.ts'
import type { Look } from './walk.ts'

interface Sight {
  readonly size: { readonly width: number; readonly height: number }
  readonly colorScheme: 'light' | 'dark'
}

const ON_DESKTOP: Sight = { size: DESKTOP, colorScheme: 'light' }
const ON_PHONE: Sight = { size: PHONE, colorScheme: 'dark' }
const WHOLE_PAGE = 'html'
/** Largest text size in the settings. */
const LARGEST_TEXT = '18'

/** Runs axe on a desktop in the light theme. */
export const lookOnDesktop: Look = async (visitor, { name, part }) => {
  await show(visitor, ON_DESKTOP)
  const found = await axeFindings(visitor.person.page, await partToSee(visitor, part))
  await keepPictures(visitor.person, name, [DESKTOP])
  return found
}

/**
 * Runs axe on a phone in the dark theme. Also checks that the screen fits the narrowest phone, with normal and with
 * large text.
 */
export const lookOnPhone: Look = async (visitor, { name, part }) => {
  const { page } = visitor.person
  await show(visitor, ON_PHONE)
  const found = await axeFindings(page, await partToSee(visitor, part))
  await page.setViewportSize(NARROWEST)
  const overflowing = await overflowingParts(page)
  const overflowingLarge = await withTextSize(page, LARGEST_TEXT, () => overflowingParts(page))
  await keepPictures(visitor.person, name, [PHONE, NARROWEST])
  await page.setViewportSize(PHONE)
  return [...found, ...overflowing, ...overflowingLarge.map((finding) => `with large texts ${finding}`)]
}

/** Calls `look` with another text size, which is applied like the user's setting. */
async function withTextSize<T>(page: Page, size: string, look: () => Promise<T>): Promise<T> {
  const change = (to: string) =>
    page.evaluate((chosen) => {
      const { dataset } = document.documentElement
      const before = dataset.textSize ?? ''
      dataset.textSize = chosen
      return before
    }, to)
  const before = await change(size)
  return look().finally(() => change(before))
}

/** Checks a screen that stays open while the window shrinks to the size of a phone. Restores the size afterwards. */
export const lookOnBoth: Look = async (visitor, screen) => {
  const onDesktop = await lookOnDesktop(visitor, screen)
  const isLayer = (await visitor.openLayers()) !== null
  await show(visitor, ON_PHONE)
  if (isLayer) await visitor.waitForLayers()
  // Waits for the panel, which moves from beside the page into a drawer.
  if (screen.part !== undefined) await visitor.person.page.locator(screen.part).first().waitFor()
  const onPhone = await lookOnPhone(visitor, screen)
  await show(visitor, ON_DESKTOP)
  return [...onDesktop, ...onPhone]
}

/** Checks the color contrast in the themes with more contrast. */
export const lookInContrast: Look = async (visitor, { name, part }) => {
  const { page } = visitor.person
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, contrast: 'more' })
    found.push(...(await axeFindings(page, await partToSee(visitor, part), ['color-contrast'])))
    if (isForDocumentation) await visitor.person.picture(`screen-${name}-contrast-${colorScheme}`)
  }
  await page.emulateMedia({ contrast: null })
  return found
}

async function show({ person: { page } }: Visitor, { size, colorScheme }: Sight): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize(size)
}

/** Returns a selector of the part to check: only the open layers, if any, because the page below is checked as another screen. */
async function partToSee(visitor: Visitor, part: string | undefined): Promise<string> {
  return (await visitor.openLayers()) ?? part ?? WHOLE_PAGE
}

/** Saves pictures for people to look at, if they are requested. */
async function keepPictures(person: Person, name: string, sizes: readonly Sight['size'][]): Promise<void> {
  if (!isForDocumentation) return
  for (const size of sizes) {
    await person.page.setViewportSize(size)
    for (const colorScheme of ['light', 'dark'] as const) {
      await person.page.emulateMedia({ colorScheme })
      await person.picture(`screen-${name.replaceAll(/\W+/g, '-')}-${size.width}-${colorScheme}`)
    }
  }
}
