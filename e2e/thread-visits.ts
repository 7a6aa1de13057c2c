import type { Person } from './person.ts'

/** Opens a thread from #general and waits for messages. Nothing is reloaded, so the page only shows what it received in events. */
export async function seeInThread(
  people: readonly Person[],
  title: string,
  texts: readonly string[],
): Promise<void> {
  for (const person of people) {
    await person.button('Threads').click()
    const popup = person.page.getByRole('dialog', { name: 'Threads', exact: true })
    await popup.getByRole('link', { name: new RegExp(title) }).click()
    await person.field(`Message ${title}`).waitFor()
    for (const text of texts) await person.message(text).waitFor()
    await person.page.goBack()
    await person.composer('general').waitFor()
  }
}
