import { connect } from 'atelier/client'

const atelier = await connect()
const { status } = await atelier.run(
  { message: 'Tidy up.', confirmation_policy: { kind: 'AlwaysConfirm' }, security_analyzer: 'local' },
  {
    onConfirmation: actions => {
      for (const { action, security_risk } of actions) console.log(security_risk, JSON.stringify(action))
      const risky = actions.some(({ security_risk }) => security_risk === 'HIGH')
      return risky ? { accept: false, reason: 'That is too risky. Find another way.' } : { accept: true }
    },
  },
)
console.log(status)
