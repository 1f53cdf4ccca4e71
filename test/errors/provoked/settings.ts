import { join } from 'node:path'
import { writeFile } from 'node:fs/promises'
import { READ, type Table } from '../support/provocation.ts'

/** The address of the service, and the key. */
export const settings: Table = {
  SettingMissingError: [
    {
      when: 'nothing says where the service is',
      meet: async ({ env, run }) => {
        delete env['DEPLOYMGMT_BASE_URL']
        return run('plan')
      },
      where: /DEPLOYMGMT_BASE_URL is not set/,
    },
  ],
  BaseUrlError: [
    {
      when: 'the address does not end as that of the API does',
      meet: async ({ env, run }) => {
        env['DEPLOYMGMT_BASE_URL'] = 'https://example.com/api'
        return run('plan')
      },
      where: /"https:\/\/example\.com\/api"/,
    },
    {
      when: 'the address holds credentials, which are not repeated',
      meet: async ({ env, run }) => {
        env['DEPLOYMGMT_BASE_URL'] = 'https://ci:secret-canary@example.com/api/public/v1.0'
        return run('plan')
      },
      where: /the base URL for example\.com holds credentials/,
    },
  ],
  InsecureUrlError: [
    {
      when: 'the address is plain http to another machine',
      meet: async ({ env, run }) => {
        env['DEPLOYMGMT_BASE_URL'] = 'http://192.0.2.1/api/public/v1.0'
        return run(...READ)
      },
      where: /"http:\/\/192\.0\.2\.1\/api\/public\/v1\.0"/,
    },
  ],
  CredentialsError: [
    {
      when: 'the private key has white space at its ends',
      meet: async ({ env, run }) => {
        env['DEPLOYMGMT_PRIVATE_KEY'] = ' spaced-canary '
        return run('plan')
      },
      where: /private key/,
    },
    {
      when: 'the file of the private key is not there',
      meet: async ({ env, folder, run }) => {
        delete env['DEPLOYMGMT_PRIVATE_KEY']
        env['DEPLOYMGMT_PRIVATE_KEY_FILE'] = join(folder, 'nowhere.key')
        return run('plan')
      },
      where: /^ {2}\/.*nowhere\.key$/m,
    },
  ],
  ProxyError: [
    {
      when: 'the proxy of the environment is no HTTP proxy, whose password is not repeated',
      meet: async ({ env, run }) => {
        env['DEPLOYMGMT_BASE_URL'] = 'https://192.0.2.1/api/public/v1.0'
        env['HTTPS_PROXY'] = 'socks5://ci:secret-canary@192.0.2.2'
        return run('plan')
      },
      where: /^ {2}HTTPS_PROXY$/m,
    },
  ],
  CaFileError: [
    {
      when: 'the file of the certificate authority is not there',
      meet: async ({ env, run }) => {
        env['DEPLOYMGMT_CA_FILE'] = '/nowhere.pem'
        return run('plan')
      },
      where: /^ {2}\/nowhere\.pem$/m,
    },
    {
      when: 'the file of the certificate authority holds no certificate',
      meet: async ({ env, folder, run }) => {
        env['DEPLOYMGMT_CA_FILE'] = join(folder, 'ca.pem')
        await writeFile(env['DEPLOYMGMT_CA_FILE'], 'no certificate')
        return run('plan')
      },
      where: /^ {2}\/.*ca\.pem$/m,
    },
  ],
}
