/** Copies a button's value. */
document.addEventListener('click', async ({ target }) => {
	const { copy } = target.dataset;
	if (copy === undefined) return;
	await navigator.clipboard.writeText(copy);
	target.textContent = 'Copied';
	setTimeout(() => (target.textContent = 'Copy'), 1500);
});
