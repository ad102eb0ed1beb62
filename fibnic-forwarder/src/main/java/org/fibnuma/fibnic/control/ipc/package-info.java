/**
 * How other processes talk to a running router: a UNIX-domain socket that only the router's user may open, one line
 * of JSON for each request and one for each answer. A client has its next request taken when it has read the answer to
 * the one before; a list of routes comes in pages for which it asks. Netty stays in this package.
 */
package org.fibnuma.fibnic.control.ipc;
