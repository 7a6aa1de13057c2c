import { mkdir, writeFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'

const screenshots = new URL('screenshots/', import.meta.url)
const documentation = new URL('../docs/images/', import.meta.url)
/** Whether the pictures of the README are made anew: E2E_PICTURES=1 asks for it. */
export const isForDocumentation = process.env.E2E_PICTURES === '1'

/** Keeps how the page looks, for people to judge. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const picture = await page.screenshot({ animations: 'disabled', caret: 'initial' })
  await mkdir(screenshots, { recursive: true })
  await writeFile(new URL(`${name}.png`, screenshots), picture)
}

/** A picture of the README. */
export async function takeDocumentationPicture(page: Page, name: string): Promise<void> {
  await takePicture(page, name)
  if (!isForDocumentation) return
  const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  await mkdir(documentation, { recursive: true })
  await writeFile(new URL(`${name}.png`, documentation), picture)
}
