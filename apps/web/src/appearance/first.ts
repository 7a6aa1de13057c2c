/** Runs before the first paint, so that a dark page does not flash light. */
import { fetchEarly } from '#src/shell/fetch-early.ts'
import { allowOnlyBuild } from '#src/shell/script-policy.ts'
import { beginAppearance } from './appearance.ts'

allowOnlyBuild(window)
beginAppearance()
fetchEarly(window)
