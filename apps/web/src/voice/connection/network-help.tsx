import { RichText } from '#src/language/rich-text.tsx'
import { t } from '#src/language/texts.ts'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { ConnectionTest } from './connection-test.tsx'
import './network-help.css'

const tags = { code: (inside: string) => <code>{inside}</code> }

/** Explains why audio fails, and what users and administrators can do. */
export function NetworkHelp({ onClose }: { onClose: () => void }) {
  return (
    <Modal open onOpenChange={onClose} title={t('Fix voice problems')}>
      <div className="network-help">
        <p>
          {t(
            'Voice uses UDP, or TCP if UDP is blocked. Something between you and the server is blocking both.',
          )}
        </p>
        <ConnectionTest />
        <h3>{t('Things to try')}</h3>
        <ul>
          <li>
            {t(
              'Try another network. Work, hotel and guest Wi-Fi often block UDP. A phone hotspot usually works.',
            )}
          </li>
          <li>{t('Turn off your VPN, or use a different one.')}</li>
          <li>
            {t('Turn off browser extensions that hide your IP address on this page. They can block WebRTC.')}
          </li>
        </ul>
        <h3>{t('If voice doesn’t work for anyone')}</h3>
        <p>{t('The problem is on the server. Ask its administrator to check these:')}</p>
        <ul>
          <li>
            <RichText
              text={t(
                'The voice port (<code>VOICE_PORT</code>, 7882 by default) must be open in the firewall, for UDP and TCP, and forwarded by the router.',
              )}
              tags={tags}
            />
          </li>
          <li>
            <RichText
              text={t('Behind a router, <code>PUBLIC_IP</code> must be the server’s public IP address.')}
              tags={tags}
            />
          </li>
          <li>
            <RichText
              text={t(
                'TCP port 443 (<code>VOICE_TCP_PORT</code>) or a TURN server (<code>VOICE_ICE_SERVERS</code>) helps on networks that only allow web traffic.',
              )}
              tags={tags}
            />
          </li>
          <li>
            <RichText text={t('<code>npm run doctor</code> finds the cause.')} tags={tags} />
          </li>
        </ul>
      </div>
    </Modal>
  )
}
