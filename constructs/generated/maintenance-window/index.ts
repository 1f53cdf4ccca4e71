// docs/resources/maintenance_window.md
// generated from terraform resource schema

import { Construct } from 'constructs';
import * as cdktf from 'cdktf';

// Configuration

export interface MaintenanceWindowConfig extends cdktf.TerraformMetaArguments {
  /**
  * Alert types to silence.
  *
  * See docs/resources/maintenance_window.md
  */
  readonly alertTypeNames: string[];
  /**
  * Actions that are refused unless they are listed here: `overwrite`.
  *
  * See docs/resources/maintenance_window.md
  */
  readonly allow?: string[];
  /**
  * What the window is for.
  *
  * See docs/resources/maintenance_window.md
  */
  readonly description?: string;
  /**
  * End of the period.
  *
  * See docs/resources/maintenance_window.md
  */
  readonly endDate: string;
  /**
  * What a destroy does. `end`: The window ends within moments; one that has not begun is moved to now, for one second. `forget`: It is removed from the state. Nothing is sent, and the service keeps it as it is. Defaults to `end`. It is read from the state, so apply a change of it before the destroy.
  *
  * See docs/resources/maintenance_window.md
  */
  readonly onRemove?: string;
  /**
  * Project that owns the window.
  *
  * See docs/resources/maintenance_window.md
  */
  readonly projectId: string;
  /**
  * Start of the period.
  *
  * See docs/resources/maintenance_window.md
  */
  readonly startDate: string;
}

/**
* Represents a deploymgmt_maintenance_window (docs/resources/maintenance_window.md)
*/
export class MaintenanceWindow extends cdktf.TerraformResource {

  // =================
  // STATIC PROPERTIES
  // =================
  public static readonly tfResourceType = "deploymgmt_maintenance_window";

  // ==============
  // STATIC Methods
  // ==============
  /**
  * Generates CDKTF code for importing a MaintenanceWindow resource upon running "cdktf plan <stack-name>"
  * @param scope The scope in which to define this construct
  * @param importToId The construct id used in the generated config for the MaintenanceWindow to import
  * @param importFromId The id of the existing MaintenanceWindow that should be imported. Refer to the import section (docs/resources/maintenance_window.md) in the documentation of this resource for the id to use
  * @param provider? Optional instance of the provider where the MaintenanceWindow to import is found
  */
  public static generateConfigForImport(scope: Construct, importToId: string, importFromId: string, provider?: cdktf.TerraformProvider) {
        return new cdktf.ImportableResource(scope, importToId, { terraformResourceType: "deploymgmt_maintenance_window", importId: importFromId, provider });
      }

  // ===========
  // INITIALIZER
  // ===========

  /**
  * Create a new deploymgmt_maintenance_window (docs/resources/maintenance_window.md) Resource
  *
  * @param scope The scope in which to define this construct
  * @param id The scoped construct ID. Must be unique amongst siblings in the same scope
  * @param options MaintenanceWindowConfig
  */
  public constructor(scope: Construct, id: string, config: MaintenanceWindowConfig) {
    super(scope, id, {
      terraformResourceType: 'deploymgmt_maintenance_window',
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
    this._alertTypeNames = config.alertTypeNames;
    this._allow = config.allow;
    this._description = config.description;
    this._endDate = config.endDate;
    this._onRemove = config.onRemove;
    this._projectId = config.projectId;
    this._startDate = config.startDate;
  }

  // ==========
  // ATTRIBUTES
  // ==========

  // alert_type_names - computed: false, optional: false, required: true
  private _alertTypeNames?: string[]; 
  public get alertTypeNames() {
    return cdktf.Fn.tolist(this.getListAttribute('alert_type_names'));
  }
  public set alertTypeNames(value: string[]) {
    this._alertTypeNames = value;
  }
  // Temporarily expose input value. Use with caution.
  public get alertTypeNamesInput() {
    return this._alertTypeNames;
  }

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

  // description - computed: true, optional: true, required: false
  private _description?: string; 
  public get description() {
    return this.getStringAttribute('description');
  }
  public set description(value: string) {
    this._description = value;
  }
  public resetDescription() {
    this._description = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get descriptionInput() {
    return this._description;
  }

  // end_date - computed: false, optional: false, required: true
  private _endDate?: string; 
  public get endDate() {
    return this.getStringAttribute('end_date');
  }
  public set endDate(value: string) {
    this._endDate = value;
  }
  // Temporarily expose input value. Use with caution.
  public get endDateInput() {
    return this._endDate;
  }

  // ended - computed: true, optional: false, required: false
  public get ended() {
    return this.getBooleanAttribute('ended');
  }

  // evidence - computed: true, optional: false, required: false
  public get evidence() {
    return this.getStringAttribute('evidence');
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

  // start_date - computed: false, optional: false, required: true
  private _startDate?: string; 
  public get startDate() {
    return this.getStringAttribute('start_date');
  }
  public set startDate(value: string) {
    this._startDate = value;
  }
  // Temporarily expose input value. Use with caution.
  public get startDateInput() {
    return this._startDate;
  }

  // =========
  // SYNTHESIS
  // =========

  protected synthesizeAttributes(): { [name: string]: any } {
    return {
      alert_type_names: cdktf.listMapper(cdktf.stringToTerraform, false)(this._alertTypeNames),
      allow: cdktf.listMapper(cdktf.stringToTerraform, false)(this._allow),
      description: cdktf.stringToTerraform(this._description),
      end_date: cdktf.stringToTerraform(this._endDate),
      on_remove: cdktf.stringToTerraform(this._onRemove),
      project_id: cdktf.stringToTerraform(this._projectId),
      start_date: cdktf.stringToTerraform(this._startDate),
    };
  }

  protected synthesizeHclAttributes(): { [name: string]: any } {
    const attrs = {
      alert_type_names: {
        value: cdktf.listMapperHcl(cdktf.stringToHclTerraform, false)(this._alertTypeNames),
        isBlock: false,
        type: "set",
        storageClassType: "stringList",
      },
      allow: {
        value: cdktf.listMapperHcl(cdktf.stringToHclTerraform, false)(this._allow),
        isBlock: false,
        type: "set",
        storageClassType: "stringList",
      },
      description: {
        value: cdktf.stringToHclTerraform(this._description),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      end_date: {
        value: cdktf.stringToHclTerraform(this._endDate),
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
      project_id: {
        value: cdktf.stringToHclTerraform(this._projectId),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      start_date: {
        value: cdktf.stringToHclTerraform(this._startDate),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
    };

    // remove undefined attributes
    return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined ))
  }
}
