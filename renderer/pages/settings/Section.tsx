import { AboutSection } from './AboutSection.tsx'
import { AgentSection } from './AgentSection.tsx'
import { ApiSection } from './ApiSection.tsx'
import type { SettingsForm } from './form.ts'
import { GeneralSection } from './GeneralSection.tsx'
import { GitSection } from './GitSection.tsx'
import { ModelSection } from './ModelSection.tsx'
import { NotificationsSection } from './NotificationsSection.tsx'
import { PrivacySection } from './PrivacySection.tsx'
import { SandboxSection } from './SandboxSection.tsx'
import { SecretsSection } from './SecretsSection.tsx'
import type { SettingsSection } from './sections.ts'
import { StorageSection } from './storage/StorageSection.tsx'
import { ToolsSection } from './ToolsSection.tsx'
import { TrustSection } from './TrustSection.tsx'

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
    case 'general':
      return <GeneralSection form={form} />
    case 'privacy':
      return <PrivacySection form={form} />
    case 'storage':
      return <StorageSection />
    case 'api':
      return <ApiSection form={form} />
    case 'about':
      return <AboutSection />
  }
}
