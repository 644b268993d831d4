import type { Locator, Page } from '@playwright/test';

/** The dialog in which a credential is entered. */
export class CredentialDialog {
	readonly dialog: Locator;

	private constructor(dialog: Locator) {
		this.dialog = dialog;
	}

	static async opened(page: Page): Promise<CredentialDialog> {
		const dialog = page.getByTestId('editCredential-modal');
		await dialog.waitFor();
		return new CredentialDialog(dialog);
	}

	async fill(fields: Record<string, string>): Promise<void> {
		for (const [name, value] of Object.entries(fields)) {
			await this.dialog.getByTestId(`parameter-input-${name}`).locator('input').fill(value);
		}
	}

	/** Saves, upon which n8n tests the connection. A new credential that passes closes the dialog. */
	async save(): Promise<void> {
		await this.dialog.getByTestId('credential-save-button').click();
	}

	/** The green message. */
	get success(): Locator {
		return this.dialog.getByTestId('credentials-config-container-test-success');
	}

	/** Waits for the red message, and unfolds it. */
	async failure(): Promise<Locator> {
		await this.dialog.getByText('More details', { exact: true }).click();
		return this.dialog.getByTestId('node-credentials-config-container').locator('.el-tag--danger');
	}

	async close(): Promise<void> {
		await this.dialog.locator('.el-dialog__headerbtn').click();
		await this.dialog.waitFor({ state: 'hidden' });
	}
}
