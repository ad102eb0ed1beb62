/**
 * Route tables and traces of route changes, of IPv4 and IPv6: read from files ({@code prefix next-hop} lines or what
 * {@code bgpdump -m} prints), generated in the shape of today's Internet table, written as text.
 */
@org.fibnuma.core.Internal
package org.fibnuma.fibnic.routes;
