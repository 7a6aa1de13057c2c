import type { Locator } from 'playwright-core'
import type { Person } from './person.ts'
import type { SampleFile } from './sample-files.ts'

/** Opens a section of the settings of the current space. */
export async function openSpaceSettings(person: Person, space: string, section: string): Promise<Locator> {
  await person.button(`${space}, space menu`).click()
  await person.page.getByRole('menuitem', { name: 'Space settings' }).click()
  return chooseSection(person, space, section)
}

/** Opens another section of the open settings. */
export async function chooseSection(person: Person, title: string, section: string): Promise<Locator> {
  const dialog = person.page.getByRole('dialog', { name: title })
  await dialog.getByRole('navigation').getByRole('button', { name: section, exact: true }).click()
  await dialog.getByRole('heading', { level: 3, name: section }).waitFor()
  return dialog
}

export async function closeSettings(person: Person, title: string): Promise<void> {
  await person.page.keyboard.press('Escape')
  await person.page.getByRole('dialog', { name: title }).waitFor({ state: 'detached' })
}

/** Chooses files in the file chooser that a button opens. */
export async function chooseFiles(button: Locator, files: SampleFile[]): Promise<void> {
  const [chooser] = await Promise.all([button.page().waitForEvent('filechooser'), button.click()])
  await chooser.setFiles(files)
}
