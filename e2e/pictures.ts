import { mkdir, writeFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'

const screenshots = new URL('screenshots/', import.meta.url)
const documentation = new URL('../docs/images/', import.meta.url)
/** True if E2E_PICTURES=1 requests new pictures for the README. */
export const isForDocumentation = process.env.E2E_PICTURES === '1'

/** Saves a screenshot for people to look at. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const picture = await page.screenshot({ animations: 'disabled', caret: 'initial' })
  await mkdir(screenshots, { recursive: true })
  await writeFile(new URL(`${name}.png`, screenshots), picture)
}

/** Saves a screenshot, and replaces a picture of the README if that is requested. */
export async function takeDocumentationPicture(page: Page, name: string): Promise<void> {
  await takePicture(page, name)
  if (!isForDocumentation) return
  const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  await mkdir(documentation, { recursive: true })
  await writeFile(new URL(`${name}.png`, documentation), picture)
}
