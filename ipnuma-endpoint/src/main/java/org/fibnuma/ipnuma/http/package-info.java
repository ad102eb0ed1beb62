/**
 * What an endpoint serves over HTTP: metrics, health and the live page, whose HTML and scripts are resources beside
 * this package; those that it has in common with the router's page are in {@link org.fibnuma.core.service.page}.
 * Everything runs on the thread of the server, which reads the published counters; the endpoint's thread does nothing
 * for it.
 */
package org.fibnuma.ipnuma.http;
