import { PublicPages } from './public-pages.tsx'
import { ServerSettings } from './server-settings.tsx'
import { ServerTests } from './server-tests.tsx'
import { StillMissing } from './still-missing.tsx'

/** Lists missing settings, tests of mail, push and voice, the rule for rooms on the web, and all settings. */
export function SetupSection() {
  return (
    <>
      <StillMissing />
      <ServerTests />
      <PublicPages />
      <ServerSettings />
    </>
  )
}
