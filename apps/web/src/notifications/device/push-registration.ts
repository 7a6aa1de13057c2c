/** Returns the browser's push manager; null without TLS. */
export async function pushManager(): Promise<PushManager | null> {
  if (!('serviceWorker' in navigator) || !('PushManager' in window)) return null
  return (await navigator.serviceWorker.getRegistration())?.pushManager ?? null
}
