/**
 * What a long-running program needs beside its data path: configuration, log, HTTP server, live page, metrics, JVM
 * pauses, results of commands, facts and settings of the host, network namespaces, and messages to systemd. In the rest
 * of this module only ports and traffic use it, for changes of the host and for namespaces.
 */
@org.fibnuma.core.Internal
package org.fibnuma.core.service;
