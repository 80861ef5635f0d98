import { AboutSection } from '../about/AboutSection.tsx'
import { AgentSection } from '../agent/AgentSection.tsx'
import { ApiSection } from '../api/ApiSection.tsx'
import { DesktopSection } from '../desktop/DesktopSection.tsx'
import { GeneralSection } from '../general/GeneralSection.tsx'
import { NotificationsSection } from '../general/NotificationsSection.tsx'
import { PrivacySection } from '../general/PrivacySection.tsx'
import { GitSection } from '../git/GitSection.tsx'
import { ModelSection } from '../model/ModelSection.tsx'
import { SandboxSection } from '../sandbox/SandboxSection.tsx'
import { SecretsSection } from '../secrets/SecretsSection.tsx'
import type { SettingsSection } from '../sections.ts'
import { StorageSection } from '../storage/StorageSection.tsx'
import { ToolsSection } from '../tools/ToolsSection.tsx'
import { TrustSection } from '../trust/TrustSection.tsx'
import type { SettingsForm } from './form.ts'

export function Section({ section, form }: { section: SettingsSection; form: SettingsForm }) {
  switch (section) {
    case 'model':
      return <ModelSection form={form} />
    case 'agent':
      return <AgentSection form={form} />
    case 'sandbox':
      return <SandboxSection form={form} />
    case 'tools':
      return <ToolsSection form={form} />
    case 'git':
      return <GitSection form={form} />
    case 'secrets':
      return <SecretsSection />
    case 'trust':
      return <TrustSection />
    case 'notifications':
      return <NotificationsSection form={form} />
    case 'desktop':
      return <DesktopSection />
    case 'general':
      return <GeneralSection form={form} />
    case 'privacy':
      return <PrivacySection form={form} />
    case 'storage':
      return <StorageSection form={form} />
    case 'api':
      return <ApiSection form={form} />
    case 'about':
      return <AboutSection />
  }
}
