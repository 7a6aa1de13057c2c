/** Runs before anything is drawn: a page that was chosen to be dark does not begin light. */
import { fetchEarly } from '#src/shell/fetch-early.ts'
import { beginAppearance } from './appearance.ts'

beginAppearance()
fetchEarly(window)
