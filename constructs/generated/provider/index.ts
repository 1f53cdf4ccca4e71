// docs/index.md
// generated from terraform resource schema

import { Construct } from 'constructs';
import * as cdktf from 'cdktf';

// Configuration

export interface DeploymgmtProviderConfig {
  /**
  * Address of the service, ending in `/api/public/v1.0`. Defaults to the environment variable `DEPLOYMGMT_BASE_URL`.
  *
  * See docs/index.md
  */
  readonly baseUrl?: string;
  /**
  * PEM file of certificate authorities to trust in addition to the usual ones. Defaults to the environment variable `DEPLOYMGMT_CA_FILE`.
  *
  * See docs/index.md
  */
  readonly caFile?: string;
  /**
  * Maximum number of requests at once. Defaults to 10.
  *
  * See docs/index.md
  */
  readonly concurrency?: number;
  /**
  * Organization whose events show who changed what. Without it, the provider does not notice changes from outside to windows and project roles.
  *
  * See docs/index.md
  */
  readonly orgId?: string;
  /**
  * Private half of the API key. Defaults to the environment variable `DEPLOYMGMT_PRIVATE_KEY`, or to the contents of the file that `DEPLOYMGMT_PRIVATE_KEY_FILE` names.
  *
  * See docs/index.md
  */
  readonly privateKey?: string;
  /**
  * Names of projects in plans, warnings and errors: a map from each name to the id of its project.
  *
  * See docs/index.md
  */
  readonly projects?: { [key: string]: string };
  /**
  * Public half of the API key. Defaults to the environment variable `DEPLOYMGMT_PUBLIC_KEY`.
  *
  * See docs/index.md
  */
  readonly publicKey?: string;
  /**
  * Timeout in seconds for one request, from connecting to the end of its answer. Defaults to 30.
  *
  * See docs/index.md
  */
  readonly requestTimeoutSeconds?: number;
  /**
  * Timeout in seconds for all attempts of one request, with the waits between them. Defaults to 60. With 0, nothing is sent again. A read is tried at most ten times. If the service limits requests (429), the provider waits until it wants requests again, and fails if it accepts none for three times as long.
  *
  * See docs/index.md
  */
  readonly retryTimeoutSeconds?: number;
  /**
  * Alias name
  *
  * See docs/index.md
  */
  readonly alias?: string;
}

/**
* Represents a deploymgmt (docs/index.md)
*/
export class DeploymgmtProvider extends cdktf.TerraformProvider {

  // =================
  // STATIC PROPERTIES
  // =================
  public static readonly tfResourceType = "deploymgmt";

  // ==============
  // STATIC Methods
  // ==============
  /**
  * Generates CDKTF code for importing a DeploymgmtProvider resource upon running "cdktf plan <stack-name>"
  * @param scope The scope in which to define this construct
  * @param importToId The construct id used in the generated config for the DeploymgmtProvider to import
  * @param importFromId The id of the existing DeploymgmtProvider that should be imported. Refer to the import section (docs/index.md) in the documentation of this resource for the id to use
  * @param provider? Optional instance of the provider where the DeploymgmtProvider to import is found
  */
  public static generateConfigForImport(scope: Construct, importToId: string, importFromId: string, provider?: cdktf.TerraformProvider) {
        return new cdktf.ImportableResource(scope, importToId, { terraformResourceType: "deploymgmt", importId: importFromId, provider });
      }

  // ===========
  // INITIALIZER
  // ===========

  /**
  * Create a new deploymgmt (docs/index.md) Resource
  *
  * @param scope The scope in which to define this construct
  * @param id The scoped construct ID. Must be unique amongst siblings in the same scope
  * @param options DeploymgmtProviderConfig = {}
  */
  public constructor(scope: Construct, id: string, config: DeploymgmtProviderConfig = {}) {
    super(scope, id, {
      terraformResourceType: 'deploymgmt',
      terraformGeneratorMetadata: {
        providerName: 'deploymgmt',
        providerVersion: '0.1.0',
        providerVersionConstraint: '0.1.0'
      },
      terraformProviderSource: 'deploymgmt/deploymgmt'
    });
    this._baseUrl = config.baseUrl;
    this._caFile = config.caFile;
    this._concurrency = config.concurrency;
    this._orgId = config.orgId;
    this._privateKey = config.privateKey;
    this._projects = config.projects;
    this._publicKey = config.publicKey;
    this._requestTimeoutSeconds = config.requestTimeoutSeconds;
    this._retryTimeoutSeconds = config.retryTimeoutSeconds;
    this._alias = config.alias;
  }

  // ==========
  // ATTRIBUTES
  // ==========

  // base_url - computed: false, optional: true, required: false
  private _baseUrl?: string; 
  public get baseUrl() {
    return this._baseUrl;
  }
  public set baseUrl(value: string | undefined) {
    this._baseUrl = value;
  }
  public resetBaseUrl() {
    this._baseUrl = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get baseUrlInput() {
    return this._baseUrl;
  }

  // ca_file - computed: false, optional: true, required: false
  private _caFile?: string; 
  public get caFile() {
    return this._caFile;
  }
  public set caFile(value: string | undefined) {
    this._caFile = value;
  }
  public resetCaFile() {
    this._caFile = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get caFileInput() {
    return this._caFile;
  }

  // concurrency - computed: false, optional: true, required: false
  private _concurrency?: number; 
  public get concurrency() {
    return this._concurrency;
  }
  public set concurrency(value: number | undefined) {
    this._concurrency = value;
  }
  public resetConcurrency() {
    this._concurrency = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get concurrencyInput() {
    return this._concurrency;
  }

  // org_id - computed: false, optional: true, required: false
  private _orgId?: string; 
  public get orgId() {
    return this._orgId;
  }
  public set orgId(value: string | undefined) {
    this._orgId = value;
  }
  public resetOrgId() {
    this._orgId = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get orgIdInput() {
    return this._orgId;
  }

  // private_key - computed: false, optional: true, required: false
  private _privateKey?: string; 
  public get privateKey() {
    return this._privateKey;
  }
  public set privateKey(value: string | undefined) {
    this._privateKey = value;
  }
  public resetPrivateKey() {
    this._privateKey = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get privateKeyInput() {
    return this._privateKey;
  }

  // projects - computed: false, optional: true, required: false
  private _projects?: { [key: string]: string }; 
  public get projects() {
    return this._projects;
  }
  public set projects(value: { [key: string]: string } | undefined) {
    this._projects = value;
  }
  public resetProjects() {
    this._projects = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get projectsInput() {
    return this._projects;
  }

  // public_key - computed: false, optional: true, required: false
  private _publicKey?: string; 
  public get publicKey() {
    return this._publicKey;
  }
  public set publicKey(value: string | undefined) {
    this._publicKey = value;
  }
  public resetPublicKey() {
    this._publicKey = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get publicKeyInput() {
    return this._publicKey;
  }

  // request_timeout_seconds - computed: false, optional: true, required: false
  private _requestTimeoutSeconds?: number; 
  public get requestTimeoutSeconds() {
    return this._requestTimeoutSeconds;
  }
  public set requestTimeoutSeconds(value: number | undefined) {
    this._requestTimeoutSeconds = value;
  }
  public resetRequestTimeoutSeconds() {
    this._requestTimeoutSeconds = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get requestTimeoutSecondsInput() {
    return this._requestTimeoutSeconds;
  }

  // retry_timeout_seconds - computed: false, optional: true, required: false
  private _retryTimeoutSeconds?: number; 
  public get retryTimeoutSeconds() {
    return this._retryTimeoutSeconds;
  }
  public set retryTimeoutSeconds(value: number | undefined) {
    this._retryTimeoutSeconds = value;
  }
  public resetRetryTimeoutSeconds() {
    this._retryTimeoutSeconds = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get retryTimeoutSecondsInput() {
    return this._retryTimeoutSeconds;
  }

  // alias - computed: false, optional: true, required: false
  private _alias?: string; 
  public get alias() {
    return this._alias;
  }
  public set alias(value: string | undefined) {
    this._alias = value;
  }
  public resetAlias() {
    this._alias = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get aliasInput() {
    return this._alias;
  }

  // =========
  // SYNTHESIS
  // =========

  protected synthesizeAttributes(): { [name: string]: any } {
    return {
      base_url: cdktf.stringToTerraform(this._baseUrl),
      ca_file: cdktf.stringToTerraform(this._caFile),
      concurrency: cdktf.numberToTerraform(this._concurrency),
      org_id: cdktf.stringToTerraform(this._orgId),
      private_key: cdktf.stringToTerraform(this._privateKey),
      projects: cdktf.hashMapper(cdktf.stringToTerraform)(this._projects),
      public_key: cdktf.stringToTerraform(this._publicKey),
      request_timeout_seconds: cdktf.numberToTerraform(this._requestTimeoutSeconds),
      retry_timeout_seconds: cdktf.numberToTerraform(this._retryTimeoutSeconds),
      alias: cdktf.stringToTerraform(this._alias),
    };
  }

  protected synthesizeHclAttributes(): { [name: string]: any } {
    const attrs = {
      base_url: {
        value: cdktf.stringToHclTerraform(this._baseUrl),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      ca_file: {
        value: cdktf.stringToHclTerraform(this._caFile),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      concurrency: {
        value: cdktf.numberToHclTerraform(this._concurrency),
        isBlock: false,
        type: "simple",
        storageClassType: "number",
      },
      org_id: {
        value: cdktf.stringToHclTerraform(this._orgId),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      private_key: {
        value: cdktf.stringToHclTerraform(this._privateKey),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      projects: {
        value: cdktf.hashMapperHcl(cdktf.stringToHclTerraform)(this._projects),
        isBlock: false,
        type: "map",
        storageClassType: "stringMap",
      },
      public_key: {
        value: cdktf.stringToHclTerraform(this._publicKey),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      request_timeout_seconds: {
        value: cdktf.numberToHclTerraform(this._requestTimeoutSeconds),
        isBlock: false,
        type: "simple",
        storageClassType: "number",
      },
      retry_timeout_seconds: {
        value: cdktf.numberToHclTerraform(this._retryTimeoutSeconds),
        isBlock: false,
        type: "simple",
        storageClassType: "number",
      },
      alias: {
        value: cdktf.stringToHclTerraform(this._alias),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
    };

    // remove undefined attributes
    return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined ))
  }
}
