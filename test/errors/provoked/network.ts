import { selfSigned } from '../../provider/api/support/certificate.ts'
import { pass } from '../../support/proxy.ts'
import { throughProxy, foreign, nobody } from '../support/foreign.ts'
import { interrupted, timeLapse } from '../support/processes.ts'
import { APPLY, READ, WINDOW, type Table } from '../support/provocation.ts'

/** The network between the command and the service. */
export const network: Table = {
  UnreachableError: [
    {
      when: 'nobody listens at the address',
      meet: async (scene) => {
        await nobody(scene)
        return scene.run(...READ)
      },
      where: /^ {2}GET http:\/\/127\.0\.0\.1:\d+\/\S+ → not sent$/m,
    },
    {
      when: 'the connection breaks under a write, of which nobody knows',
      meet: async (scene) => {
        await scene.manifest(WINDOW)
        await scene.fault({ method: 'POST', fault: 'reset-after' })
        return scene.run(...APPLY)
      },
      where: /^ +POST http:\S+\/maintenanceWindows\/ → no answer$/m,
      exit: 3,
    },
  ],
  TlsError: [
    {
      when: 'the certificate is that of an authority nobody has named',
      meet: async (scene) => {
        await throughProxy(scene, pass, { tls: selfSigned() })
        return scene.run(...READ)
      },
      where: /^ {2}GET https:\/\/127\.0\.0\.1:\d+\/\S+ → not sent$/m,
    },
    {
      when: 'the other side does not speak TLS',
      meet: async (scene) => {
        scene.env['DEPLOYMGMT_BASE_URL'] = scene.baseUrl.replace('http:', 'https:')
        return scene.run(...READ)
      },
      where: /^ {2}GET https:\/\/127\.0\.0\.1:\d+\/\S+ → not sent$/m,
    },
  ],
  RedirectError: [
    {
      when: 'the service sends the reader elsewhere',
      meet: async (scene) => {
        await foreign(scene, (_, response) => {
          response.writeHead(307, { location: 'https://elsewhere.example.com/stolen' }).end()
        })
        return scene.run(...READ)
      },
      where: /GET http:\S+ → 307$/m,
    },
  ],
  DeadlineError: [
    {
      when: 'a write is not answered within half a minute, and nobody knows of it',
      meet: async (scene) => {
        await scene.manifest(WINDOW)
        await throughProxy(scene, async ({ write }, forward) => (write > 0 ? 'silence' : forward()))
        return timeLapse(scene, APPLY)
      },
      where: /^ +POST http:\S+\/maintenanceWindows\/ → no answer$/m,
      exit: 3,
    },
  ],
  CancelledError: [
    {
      when: 'a person interrupts an apply while it reads',
      meet: async (scene) => interrupted(scene, ({ path }) => path.includes('/integrations')),
      where: /^ {2}GET http:\S+ → (?:no answer|not sent)$/m,
      exit: 130,
    },
  ],
}
