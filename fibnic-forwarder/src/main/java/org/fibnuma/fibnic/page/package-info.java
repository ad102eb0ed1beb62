/**
 * The live page of the router. {@link org.fibnuma.fibnic.page.PageFiles} are its HTML, styles and scripts,
 * {@link org.fibnuma.fibnic.page.LiveState} sends a sample to the open pages at an interval, and
 * {@link org.fibnuma.fibnic.page.RouteSearch} answers where an address leads. Everything runs on the HTTP server's
 * thread, except taking a sample and looking up an address, which the control thread does; workers do nothing for it.
 */
package org.fibnuma.fibnic.page;
