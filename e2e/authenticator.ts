import type { CDPSession } from 'playwright-core'

/** Adds a virtual authenticator to Chromium, which stores passkeys and verifies the user without asking. Returns its id. */
export async function plugIn(devices: CDPSession): Promise<string> {
  await devices.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return authenticatorId
}
