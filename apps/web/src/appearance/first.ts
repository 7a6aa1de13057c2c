/** Runs before anything else does and before anything is drawn: a page that was chosen to be dark does not begin light. */
import { fetchEarly } from '#src/shell/fetch-early.ts'
import { allowBuildAlone } from '#src/shell/script-policy.ts'
import { beginAppearance } from './appearance.ts'

allowBuildAlone(window)
beginAppearance()
fetchEarly(window)
