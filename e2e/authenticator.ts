import type { CDPSession } from 'playwright-core'

/** A device that checks who is there and keeps passkeys, as Chromium makes it up. It answers by itself. */
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
