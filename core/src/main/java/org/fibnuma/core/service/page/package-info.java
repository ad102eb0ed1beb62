/**
 * Common parts of the live web pages of the router and of the endpoint: the style sheet, the scripts for events, rates,
 * charts and tables, and the state that is sent to open web pages once a second.
 */
@org.fibnuma.core.Internal
package org.fibnuma.core.service.page;
