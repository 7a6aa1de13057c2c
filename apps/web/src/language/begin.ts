import { chosenClock, chosenLanguage, spokenLanguage, withClock } from './choice.ts'
import { type Catalogue, speak } from './texts.ts'

/** Makes the page speak. Texts that cannot be had are English ones: that is better than none. */
export async function beginSpeaking(): Promise<void> {
  const { language, locale } = spokenLanguage(chosenLanguage(), navigator.languages)
  const root = document.documentElement
  root.lang = locale
  root.dir = language.dir
  const { load } = language
  speak(withClock(locale, chosenClock()), load === undefined ? {} : await load().catch((): Catalogue => ({})))
}
