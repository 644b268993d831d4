import type { Locator, Page } from '@playwright/test';

/** A node's panel in n8n's editor: its fields in the middle, its output on the right. */
export class NodePanel {
	readonly panel: Locator;
	readonly output: Locator;
	readonly #page: Page;
	readonly #fields: Locator;

	constructor(page: Page, panel: Locator) {
		this.#page = page;
		this.panel = panel;
		this.output = panel.getByTestId('output-panel');
		this.#fields = panel.getByTestId('node-parameters').filter({ visible: true });
	}

	/** A field by its internal name. */
	field(name: string): Locator {
		return this.#fields.getByTestId(`parameter-input-${name}`);
	}

	async fill(fields: Record<string, string>): Promise<void> {
		for (const [name, value] of Object.entries(fields)) {
			await this.field(name).locator('input').fill(value);
		}
		await this.#takenOver();
	}

	/** Chooses an entry of a drop-down list. */
	async choose(name: string, entry: string): Promise<void> {
		await this.field(name).click();
		await this.#entryOfOpenList(entry).click();
	}

	/** Fills in a field that has several modes, such as "By Link". */
	async fillBy(mode: string, value: string): Promise<void> {
		await this.chooseMode(mode);
		await this.#fields.getByTestId('rlc-input').fill(value);
		await this.#takenOver();
	}

	/** Switches a field from a fixed value to an expression. */
	async enterExpression(name: string, expression: string): Promise<void> {
		const toggle = this.#fields.getByTestId(`${name}-parameter-input-options-container`);
		await this.field(name).hover();
		await toggle.getByTestId('radio-button-expression').click();
		await this.field(name).getByRole('textbox').fill(expression);
		await this.#takenOver();
	}

	async chooseMode(mode: string): Promise<void> {
		await this.#fields.getByTestId('rlc-mode-selector').click();
		await this.#entryOfOpenList(mode).click();
	}

	async chooseCredential(name: string): Promise<void> {
		await this.panel.getByTestId('node-credentials-select').click();
		await this.#entryOfOpenList(name).click();
	}

	async execute(): Promise<void> {
		await this.panel.getByTestId('node-execute-button').click();
	}

	/** The values of the one item in the output, by field, as n8n lists them. */
	async values(): Promise<Record<string, string>> {
		await this.output.getByTestId('radio-button-schema').click();
		const entries = this.output.getByTestId('run-data-schema-item');
		await entries.first().waitFor();
		const lines = (await entries.allInnerTexts()).map((text) => text.split('\n'));
		return Object.fromEntries(lines.map(([name, ...value]) => [name, value.join('\n')]));
	}

	async close(): Promise<void> {
		await this.panel.getByTestId('ndv-close-button').click();
		await this.panel.waitFor({ state: 'hidden' });
	}

	#entryOfOpenList(text: string): Locator {
		return this.#page
			.locator('.el-popper')
			.filter({ visible: true })
			.getByText(text, { exact: true });
	}

	/**
	 * The editor processes typed text a moment later, which shows nowhere. A longer timer in the same page
	 * ends after the editor's, however slow the machine.
	 */
	async #takenOver(): Promise<void> {
		await this.#page.evaluate('new Promise((resolve) => setTimeout(resolve, 500))');
	}
}
