import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Domain of virtual-hosted buckets. Each bucket is a subdomain. */
export const S3_HOST = 's3.localhost'

/**
 * Writes a minimal configuration: one daemon of each kind, on loopback, in memory, with all files in the folder. The
 * Paxos intervals are short because each change of cluster state waits for a second by default. These waits took 11
 * of the 12 s of a start.
 */
export async function writeCephConfig(
  folder: string,
  { monitorPort, port }: { monitorPort: number; port: number },
): Promise<void> {
  const settings = {
    'mon host': `[v2:127.0.0.1:${monitorPort}]`,
    'mon data': join(folder, 'mon'),
    'osd data': join(folder, 'osd'),
    keyring: join(folder, 'keyring'),
    'run dir': folder,
    'crash dir': join(folder, 'crash'),
    'log file': join(folder, '$name.log'),
    'admin socket': '',
    'pid file': '',
    'ms bind msgr1': 'false',
    'public addr': '127.0.0.1',
    'cluster addr': '127.0.0.1',
    'auth cluster required': 'cephx',
    'auth service required': 'cephx',
    'auth client required': 'cephx',
    'auth allow insecure global id reclaim': 'false',
    'paxos propose interval': '0.01',
    'paxos min wait': '0.005',
    'mon tick interval': '1',
    'mon allow pool size one': 'true',
    'mon data avail warn': '0',
    'mon data avail crit': '0',
    'osd objectstore': 'memstore',
    'memstore device bytes': `${8 * 1024 ** 3}`,
    'osd pool default size': '1',
    'osd pool default min size': '1',
    'osd pool default pg num': '1',
    'osd pool default pgp num': '1',
    'osd pool default pg autoscale mode': 'off',
    'osd crush chooseleaf type': '0',
    'rgw frontends': `beast endpoint=127.0.0.1:${port}`,
    'rgw dns name': S3_HOST,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  await writeFile(join(folder, 'ceph.conf'), ['[global]', ...lines, ''].join('\n'), { mode: 0o600 })
}
