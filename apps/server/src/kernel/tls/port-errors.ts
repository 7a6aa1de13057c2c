/** Explains why a port cannot be opened, and how to fix it. */
export function explainPort(setting: 'HTTPS_PORT' | 'HTTP_PORT', port: number, error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
  const subject = `port ${port} (${setting}) cannot be opened`
  if (code === 'EADDRINUSE')
    return `${subject}: another program uses it. If that is a proxy with TLS in front of Foyer, set TLS=off; otherwise stop it`
  if (code === 'EACCES' || code === 'EPERM') return `${subject}: only root may. ${waysToOpen()}`
  return `${subject}: ${error instanceof Error ? error.message : error}`
}

function waysToOpen(): string {
  const ways = [
    `allow it on this machine with \`sysctl net.ipv4.ip_unprivileged_port_start=80\``,
    `give Foyer's Node the right with \`setcap cap_net_bind_service=+ep ${process.execPath}\``,
    'set AmbientCapabilities=CAP_NET_BIND_SERVICE in its systemd unit',
    'forward the ports 443 and 80 to others, and set HTTPS_PORT and HTTP_PORT to those',
  ]
  return `One of these helps: ${ways.join('; or ')}`
}
