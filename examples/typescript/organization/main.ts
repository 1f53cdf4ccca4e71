import { synthesize } from '@deploymgmt/constructs'
import { App } from 'cdktf'
import { Acme } from './acme.ts'

const app = new App()
new Acme(app, 'acme')
synthesize(app)
