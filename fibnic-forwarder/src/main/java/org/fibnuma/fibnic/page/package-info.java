/**
 * The live page of the router: its HTML and scripts are resources beside this package, those that it has in common with
 * the endpoint's page are in {@link org.fibnuma.core.service.page}. {@link org.fibnuma.fibnic.page.StateFormat} writes
 * the events, {@link org.fibnuma.fibnic.page.TrafficHistory} keeps what happened before the page was opened, and
 * {@link org.fibnuma.fibnic.page.RouteSearch} answers where an address leads. Everything runs on the HTTP server's
 * thread, except taking a sample and looking up an address, which the control thread does; workers do nothing for it.
 */
@org.fibnuma.core.Internal
package org.fibnuma.fibnic.page;
