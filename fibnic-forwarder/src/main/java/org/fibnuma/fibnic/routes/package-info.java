/**
 * Route tables and traces of route changes: read from files ({@code prefix next-hop} lines or what {@code bgpdump -m}
 * prints), generated in the shape of today's Internet table, written as text.
 */
package org.fibnuma.fibnic.routes;
