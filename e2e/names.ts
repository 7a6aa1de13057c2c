import type { Page } from 'playwright-core'

const USABLE = 'button|link|textbox|checkbox|combobox|menuitem|dialog|alertdialog|navigation|img'

/** Returns the parts of the page without an accessible name, as lines of its outline. */
export async function namelessParts(page: Page): Promise<string[]> {
  const outline = await page.locator('body').ariaSnapshot()
  const nameless = new RegExp(`^\\s*- (${USABLE})\\b(?! ")`)
  return outline.split('\n').filter((line) => nameless.test(line))
}
