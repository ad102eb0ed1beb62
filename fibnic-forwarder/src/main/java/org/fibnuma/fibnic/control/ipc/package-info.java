/**
 * Control of a running router by other processes: a UNIX-domain socket that only the router's user and group may open,
 * one line of JSON for each request and one for each answer. The next request of a client is handled when the client
 * has read the answer to the previous one. Routes are requested in parts.
 */
@org.fibnuma.core.Internal
package org.fibnuma.fibnic.control.ipc;
