import { chosenClock, chosenLanguage, spokenLanguage, withClock } from './choice.ts'
import { type Catalogue, speak } from './texts.ts'

/** Sets the language of the page. If its texts cannot be loaded, they stay English. */
export async function beginSpeaking(): Promise<void> {
  const { language, locale } = spokenLanguage(chosenLanguage(), navigator.languages)
  const root = document.documentElement
  root.lang = locale
  root.dir = language.dir
  const { load } = language
  speak(withClock(locale, chosenClock()), load === undefined ? {} : await load().catch((): Catalogue => ({})))
}
