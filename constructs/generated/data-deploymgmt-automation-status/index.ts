// docs/data-sources/automation_status.md
// generated from terraform resource schema

import { Construct } from 'constructs';
import * as cdktf from 'cdktf';

// Configuration

export interface DataDeploymgmtAutomationStatusConfig extends cdktf.TerraformMetaArguments {
  /**
  * Project whose processes are read.
  *
  * See docs/data-sources/automation_status.md
  */
  readonly projectId: string;
}
export interface DataDeploymgmtAutomationStatusProcesses {
}

export function dataDeploymgmtAutomationStatusProcessesToTerraform(struct?: DataDeploymgmtAutomationStatusProcesses): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  return {
  }
}


export function dataDeploymgmtAutomationStatusProcessesToHclTerraform(struct?: DataDeploymgmtAutomationStatusProcesses): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  const attrs = {
  };
  return attrs;
}

export class DataDeploymgmtAutomationStatusProcessesOutputReference extends cdktf.ComplexObject {
  private isEmptyObject = false;

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  * @param complexObjectIndex the index of this item in the list
  * @param complexObjectIsFromSet whether the list is wrapping a set (will add tolist() to be able to access an item via an index)
  */
  public constructor(terraformResource: cdktf.IInterpolatingParent, terraformAttribute: string, complexObjectIndex: number, complexObjectIsFromSet: boolean) {
    super(terraformResource, terraformAttribute, complexObjectIsFromSet, complexObjectIndex);
  }

  public get internalValue(): DataDeploymgmtAutomationStatusProcesses | undefined {
    let hasAnyValues = this.isEmptyObject;
    const internalValueResult: any = {};
    return hasAnyValues ? internalValueResult : undefined;
  }

  public set internalValue(value: DataDeploymgmtAutomationStatusProcesses | undefined) {
    if (value === undefined) {
      this.isEmptyObject = false;
    }
    else {
      this.isEmptyObject = Object.keys(value).length === 0;
    }
  }

  // error_code - computed: true, optional: false, required: false
  public get errorCode() {
    return this.getNumberAttribute('error_code');
  }

  // error_code_description - computed: true, optional: false, required: false
  public get errorCodeDescription() {
    return this.getStringAttribute('error_code_description');
  }

  // error_code_human_readable - computed: true, optional: false, required: false
  public get errorCodeHumanReadable() {
    return this.getStringAttribute('error_code_human_readable');
  }

  // error_string - computed: true, optional: false, required: false
  public get errorString() {
    return this.getStringAttribute('error_string');
  }

  // hostname - computed: true, optional: false, required: false
  public get hostname() {
    return this.getStringAttribute('hostname');
  }

  // last_goal_version_achieved - computed: true, optional: false, required: false
  public get lastGoalVersionAchieved() {
    return this.getNumberAttribute('last_goal_version_achieved');
  }

  // name - computed: true, optional: false, required: false
  public get name() {
    return this.getStringAttribute('name');
  }

  // plan - computed: true, optional: false, required: false
  public get plan() {
    return this.getListAttribute('plan');
  }
}

export class DataDeploymgmtAutomationStatusProcessesList extends cdktf.ComplexList {

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  * @param wrapsSet whether the list is wrapping a set (will add tolist() to be able to access an item via an index)
  */
  constructor(protected terraformResource: cdktf.IInterpolatingParent, protected terraformAttribute: string, protected wrapsSet: boolean) {
    super(terraformResource, terraformAttribute, wrapsSet)
  }

  /**
  * @param index the index of the item to return
  */
  public get(index: number): DataDeploymgmtAutomationStatusProcessesOutputReference {
    return new DataDeploymgmtAutomationStatusProcessesOutputReference(this.terraformResource, this.terraformAttribute, index, this.wrapsSet);
  }
}

/**
* Represents a deploymgmt_automation_status (docs/data-sources/automation_status.md)
*/
export class DataDeploymgmtAutomationStatus extends cdktf.TerraformDataSource {

  // =================
  // STATIC PROPERTIES
  // =================
  public static readonly tfResourceType = "deploymgmt_automation_status";

  // ==============
  // STATIC Methods
  // ==============
  /**
  * Generates CDKTF code for importing a DataDeploymgmtAutomationStatus resource upon running "cdktf plan <stack-name>"
  * @param scope The scope in which to define this construct
  * @param importToId The construct id used in the generated config for the DataDeploymgmtAutomationStatus to import
  * @param importFromId The id of the existing DataDeploymgmtAutomationStatus that should be imported. Refer to the import section (docs/data-sources/automation_status.md) in the documentation of this resource for the id to use
  * @param provider? Optional instance of the provider where the DataDeploymgmtAutomationStatus to import is found
  */
  public static generateConfigForImport(scope: Construct, importToId: string, importFromId: string, provider?: cdktf.TerraformProvider) {
        return new cdktf.ImportableResource(scope, importToId, { terraformResourceType: "deploymgmt_automation_status", importId: importFromId, provider });
      }

  // ===========
  // INITIALIZER
  // ===========

  /**
  * Create a new deploymgmt_automation_status (docs/data-sources/automation_status.md) Data Source
  *
  * @param scope The scope in which to define this construct
  * @param id The scoped construct ID. Must be unique amongst siblings in the same scope
  * @param options DataDeploymgmtAutomationStatusConfig
  */
  public constructor(scope: Construct, id: string, config: DataDeploymgmtAutomationStatusConfig) {
    super(scope, id, {
      terraformResourceType: 'deploymgmt_automation_status',
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
    this._projectId = config.projectId;
  }

  // ==========
  // ATTRIBUTES
  // ==========

  // goal_version - computed: true, optional: false, required: false
  public get goalVersion() {
    return this.getNumberAttribute('goal_version');
  }

  // processes - computed: true, optional: false, required: false
  private _processes = new DataDeploymgmtAutomationStatusProcessesList(this, "processes", false);
  public get processes() {
    return this._processes;
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

  // =========
  // SYNTHESIS
  // =========

  protected synthesizeAttributes(): { [name: string]: any } {
    return {
      project_id: cdktf.stringToTerraform(this._projectId),
    };
  }

  protected synthesizeHclAttributes(): { [name: string]: any } {
    const attrs = {
      project_id: {
        value: cdktf.stringToHclTerraform(this._projectId),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
    };

    // remove undefined attributes
    return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined ))
  }
}
