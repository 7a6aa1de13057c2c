/**
 * Lets scripts and workers come from the build alone. The server's own policy says `'self'`, which includes the files that
 * people upload, as it does not know under which origin a proxy shows it: the page does. Policies add up, and none can be
 * taken back.
 */
export function allowBuildAlone({ document, location }: Pick<Window, 'document' | 'location'>): void {
  const { origin, hostname } = location
  // A policy cannot name an IPv6 address, and without a source it would allow nothing.
  if (hostname.startsWith('[')) return
  const policy = document.createElement('meta')
  policy.httpEquiv = 'Content-Security-Policy'
  policy.content = `script-src ${origin}/assets/; worker-src ${origin}/assets/ ${origin}/worker.js`
  document.head.append(policy)
}
