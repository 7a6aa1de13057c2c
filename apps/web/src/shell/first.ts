/** Runs before the first paint, so that a dark page does not flash light. */

import { beginAppearance } from '#src/appearance/appearance.ts'
import { fetchEarly } from './fetch-early.ts'
import { allowOnlyBuild } from './script-policy.ts'

allowOnlyBuild(window)
beginAppearance()
fetchEarly(window)
