import { RichText } from '#src/language/rich-text.tsx'
import { t } from '#src/language/texts.ts'
import { Modal } from '#src/ui/modal.tsx'
import { ConnectionTest } from './connection-test.tsx'
import './network-help.css'

const tags = { code: (inside: string) => <code>{inside}</code> }

/** Explains why audio does not get through, and what users and administrators can do. */
export function NetworkHelp({ onClose }: { onClose: () => void }) {
  return (
    <Modal open onOpenChange={onClose} title={t('What to do about voice')}>
      <div className="network-help">
        <p>
          {t(
            'Text comes over the web, as this page does. Voice needs a way of its own, by UDP, because sound that is late is of no use. Something between you and the server does not let it through.',
          )}
        </p>
        <ConnectionTest />
        <h3>{t('What you can try')}</h3>
        <ul>
          <li>
            {t(
              'Another network: at work, in hotels and on guest Wi-Fi UDP is often blocked. A phone’s hotspot mostly works.',
            )}
          </li>
          <li>{t('Without a VPN, or with another one.')}</li>
          <li>
            {t('A browser extension that hides your address may block WebRTC: turn it off for this page.')}
          </li>
        </ul>
        <h3>{t('If nobody can talk here')}</h3>
        <p>{t('Then it is the server. Tell whoever runs it to look at these:')}</p>
        <ul>
          <li>
            <RichText
              text={t(
                'The UDP port of voice (<code>VOICE_PORT</code>, 7882 as it comes) must be open in the firewall and be passed on by the router.',
              )}
              tags={tags}
            />
          </li>
          <li>
            <RichText
              text={t(
                'Behind such a router <code>PUBLIC_IP</code> must be the address that the internet knows.',
              )}
              tags={tags}
            />
          </li>
          <li>
            <RichText
              text={t(
                'For networks that let nothing but the web through, a TURN server helps: <code>VOICE_ICE_SERVERS</code>.',
              )}
              tags={tags}
            />
          </li>
          <li>
            <RichText text={t('<code>npm run doctor</code> finds out which of them it is.')} tags={tags} />
          </li>
        </ul>
      </div>
    </Modal>
  )
}
