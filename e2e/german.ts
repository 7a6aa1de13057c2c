import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { eventually } from './eventually.ts'
import type { Person } from './person.ts'

const CATALOGUE = new URL('../apps/web/src/language/de.json', import.meta.url)

/** Asserts that the page has no English text that has a German translation. */
export async function assertGerman({ page }: Person, screen: string): Promise<void> {
  await eventually(() => page.locator('.skeleton, [aria-busy="true"]').count(), 0)
  const untranslated = await englishTexts()
  const english = (await page.evaluate(readTexts)).filter((text) => untranslated.has(text))
  assert.deepEqual(english, [], `${screen} has English texts`)
}

/** Returns the English texts whose German translation differs. */
async function englishTexts(): Promise<ReadonlySet<string>> {
  const catalogue: Record<string, unknown> = JSON.parse(await readFile(CATALOGUE, 'utf8'))
  return new Set(Object.keys(catalogue).filter((name) => catalogue[name] !== name))
}

/** Returns all texts of the page, including labels that only assistive technology announces. */
function readTexts(): string[] {
  const texts = [...document.querySelectorAll('body *')].flatMap((element) => [
    ...['aria-label', 'title', 'placeholder', 'alt'].map((name) => element.getAttribute(name) ?? ''),
    ...[...element.childNodes].map((node) =>
      node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '') : '',
    ),
  ])
  return texts.map((text) => text.trim()).filter((text) => text !== '')
}
