import { synthesize } from '@deploymgmt/constructs'
import { App } from 'cdktf'
import { Declarations } from './declarations.ts'

const app = new App()
new Declarations(app, 'production')
synthesize(app)
