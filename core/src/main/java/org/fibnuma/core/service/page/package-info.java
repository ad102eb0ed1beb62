/**
 * What the live pages of the router and of the endpoint have in common: the style sheet, the scripts for events, rates,
 * charts and tables, and the state that is sent to open pages once a second.
 */
package org.fibnuma.core.service.page;
