/**
 * Control of a running router by other processes: a UNIX-domain socket that only the router's user and group may open,
 * one line of JSON for each request and one for each answer. The next request of a client is handled when it has read
 * the answer to the previous one; a list of routes is requested in pages.
 */
package org.fibnuma.fibnic.control.ipc;
