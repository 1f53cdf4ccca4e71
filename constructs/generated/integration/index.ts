// docs/resources/integration.md
// generated from terraform resource schema

import { Construct } from 'constructs';
import * as cdktf from 'cdktf';

// Configuration

export interface IntegrationConfig extends cdktf.TerraformMetaArguments {
  /**
  * Actions that are refused unless they are listed here: `delete`, `overwrite`.
  *
  * See docs/resources/integration.md
  */
  readonly allow?: string[];
  /**
  * Whether the integration must exist or must not exist.
  *
  * See docs/resources/integration.md
  */
  readonly ensure?: string;
  /**
  * What a destroy does. `forget`: It is removed from the state. Nothing is sent, and the service keeps it as it is. Defaults to `forget`. It is read from the state, so apply a change of it before the destroy.
  *
  * See docs/resources/integration.md
  */
  readonly onRemove?: string;
  /**
  * Types that are allowed to exist; all others are deleted.
  *
  * See docs/resources/integration.md
  */
  readonly only?: string[];
  /**
  * Project that owns the integration.
  *
  * See docs/resources/integration.md
  */
  readonly projectId: string;
  /**
  * The integrated service. Give this or `only`.
  *
  * See docs/resources/integration.md
  */
  readonly type?: string;
}

/**
* Represents a deploymgmt_integration (docs/resources/integration.md)
*/
export class Integration extends cdktf.TerraformResource {

  // =================
  // STATIC PROPERTIES
  // =================
  public static readonly tfResourceType = "deploymgmt_integration";

  // ==============
  // STATIC Methods
  // ==============
  /**
  * Generates CDKTF code for importing a Integration resource upon running "cdktf plan <stack-name>"
  * @param scope The scope in which to define this construct
  * @param importToId The construct id used in the generated config for the Integration to import
  * @param importFromId The id of the existing Integration that should be imported. Refer to the import section (docs/resources/integration.md) in the documentation of this resource for the id to use
  * @param provider? Optional instance of the provider where the Integration to import is found
  */
  public static generateConfigForImport(scope: Construct, importToId: string, importFromId: string, provider?: cdktf.TerraformProvider) {
        return new cdktf.ImportableResource(scope, importToId, { terraformResourceType: "deploymgmt_integration", importId: importFromId, provider });
      }

  // ===========
  // INITIALIZER
  // ===========

  /**
  * Create a new deploymgmt_integration (docs/resources/integration.md) Resource
  *
  * @param scope The scope in which to define this construct
  * @param id The scoped construct ID. Must be unique amongst siblings in the same scope
  * @param options IntegrationConfig
  */
  public constructor(scope: Construct, id: string, config: IntegrationConfig) {
    super(scope, id, {
      terraformResourceType: 'deploymgmt_integration',
      terraformGeneratorMetadata: {
        providerName: 'deploymgmt',
        providerVersion: '0.1.0',
        providerVersionConstraint: '0.1.0'
      },
      provider: config.provider,
      dependsOn: config.dependsOn,
      count: config.count,
      lifecycle: config.lifecycle,
      provisioners: config.provisioners,
      connection: config.connection,
      forEach: config.forEach
    });
    this._allow = config.allow;
    this._ensure = config.ensure;
    this._onRemove = config.onRemove;
    this._only = config.only;
    this._projectId = config.projectId;
    this._type = config.type;
  }

  // ==========
  // ATTRIBUTES
  // ==========

  // allow - computed: false, optional: true, required: false
  private _allow?: string[]; 
  public get allow() {
    return cdktf.Fn.tolist(this.getListAttribute('allow'));
  }
  public set allow(value: string[]) {
    this._allow = value;
  }
  public resetAllow() {
    this._allow = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get allowInput() {
    return this._allow;
  }

  // ensure - computed: true, optional: true, required: false
  private _ensure?: string; 
  public get ensure() {
    return this.getStringAttribute('ensure');
  }
  public set ensure(value: string) {
    this._ensure = value;
  }
  public resetEnsure() {
    this._ensure = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get ensureInput() {
    return this._ensure;
  }

  // evidence - computed: true, optional: false, required: false
  public get evidence() {
    return this.getStringAttribute('evidence');
  }

  // forbidden - computed: true, optional: false, required: false
  private _forbidden = new cdktf.StringMap(this, "forbidden");
  public get forbidden() {
    return this._forbidden;
  }

  // id - computed: true, optional: false, required: false
  public get id() {
    return this.getStringAttribute('id');
  }

  // on_remove - computed: true, optional: true, required: false
  private _onRemove?: string; 
  public get onRemove() {
    return this.getStringAttribute('on_remove');
  }
  public set onRemove(value: string) {
    this._onRemove = value;
  }
  public resetOnRemove() {
    this._onRemove = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get onRemoveInput() {
    return this._onRemove;
  }

  // only - computed: false, optional: true, required: false
  private _only?: string[]; 
  public get only() {
    return cdktf.Fn.tolist(this.getListAttribute('only'));
  }
  public set only(value: string[]) {
    this._only = value;
  }
  public resetOnly() {
    this._only = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get onlyInput() {
    return this._only;
  }

  // present - computed: true, optional: false, required: false
  public get present() {
    return this.getBooleanAttribute('present');
  }

  // project_id - computed: false, optional: false, required: true
  private _projectId?: string; 
  public get projectId() {
    return this.getStringAttribute('project_id');
  }
  public set projectId(value: string) {
    this._projectId = value;
  }
  // Temporarily expose input value. Use with caution.
  public get projectIdInput() {
    return this._projectId;
  }

  // type - computed: false, optional: true, required: false
  private _type?: string; 
  public get type() {
    return this.getStringAttribute('type');
  }
  public set type(value: string) {
    this._type = value;
  }
  public resetType() {
    this._type = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get typeInput() {
    return this._type;
  }

  // =========
  // SYNTHESIS
  // =========

  protected synthesizeAttributes(): { [name: string]: any } {
    return {
      allow: cdktf.listMapper(cdktf.stringToTerraform, false)(this._allow),
      ensure: cdktf.stringToTerraform(this._ensure),
      on_remove: cdktf.stringToTerraform(this._onRemove),
      only: cdktf.listMapper(cdktf.stringToTerraform, false)(this._only),
      project_id: cdktf.stringToTerraform(this._projectId),
      type: cdktf.stringToTerraform(this._type),
    };
  }

  protected synthesizeHclAttributes(): { [name: string]: any } {
    const attrs = {
      allow: {
        value: cdktf.listMapperHcl(cdktf.stringToHclTerraform, false)(this._allow),
        isBlock: false,
        type: "set",
        storageClassType: "stringList",
      },
      ensure: {
        value: cdktf.stringToHclTerraform(this._ensure),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      on_remove: {
        value: cdktf.stringToHclTerraform(this._onRemove),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      only: {
        value: cdktf.listMapperHcl(cdktf.stringToHclTerraform, false)(this._only),
        isBlock: false,
        type: "set",
        storageClassType: "stringList",
      },
      project_id: {
        value: cdktf.stringToHclTerraform(this._projectId),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      type: {
        value: cdktf.stringToHclTerraform(this._type),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
    };

    // remove undefined attributes
    return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined ))
  }
}
