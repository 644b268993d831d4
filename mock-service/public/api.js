/* global SwaggerUIBundle */
SwaggerUIBundle({
	url: '/openapi.json',
	dom_id: '#api',
	deepLinking: true,
	persistAuthorization: true,
	requestInterceptor: (request) => {
		// The specification requires both headers on every request.
		request.headers.accept = 'application/json';
		request.headers['Content-Type'] = 'application/json';
		return request;
	},
});
