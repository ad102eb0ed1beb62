/**
 * How other processes talk to a running router: a UNIX-domain socket that only the router's user may open, one line
 * of JSON for each request and one for each answer. Netty stays in this package.
 */
package org.fibnuma.fibnic.control.ipc;
